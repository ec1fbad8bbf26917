"""The tools and resources, asked by the SDK of the Model Context Protocol: over HTTP and by starting the
program, in the revision without a handshake and in those with one.

    client.py CITATION ADDRESS API-KEY DATA-FOLDER DOCUMENTS-FOLDER
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

citation, address, api_key, data, documents = sys.argv[1:]
DOI = "10.1038/171737a0"


def over_http(headers):
    client = httpx2.AsyncClient(headers=headers, timeout=30)
    return streamable_http_client(f"{address}/mcp", http_client=client)


def started():
    return StdioServerParameters(
        command=citation,
        args=["--data", data, "mcp", "--files", documents],
        env={"CITATION_API_KEY": api_key},
    )


async def ask(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    # The text says the same, for clients that know no structured content.
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def use(client, reads_files):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools["lookup"].annotations.read_only_hint
    assert not tools["add_to_collection"].annotations.read_only_hint
    schema = tools["verify_document"].input_schema
    assert ("path" in schema["properties"]) == reads_files, schema

    found = await ask(client, "lookup", query=f"https://doi.org/{DOI}", local_only=True)
    assert found["work"]["year"] == 1953, found
    found = await ask(client, "search", text="Watson Crick 1953 molecular structure of nucleic acids")
    assert found["candidates"][0]["work"]["doi"] == DOI, found

    references = [
        "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.",
        "Nobody N. A work that nobody wrote. Journal of Nothing 2019;1:1-2.",
    ]
    checked = await ask(client, "verify", references=references, local_only=True)
    verdicts = {result["index"]: result["verdict"] for result in checked["results"]}
    assert verdicts[0] == "verified" and verdicts[1] != "verified", checked
    given = {"path": "refs.bib"} if reads_files else {"text": open(f"{documents}/refs.bib").read()}
    checked = await ask(client, "verify_document", local_only=True, **given)
    assert checked["document"]["references"] == 1, checked

    formatted = await ask(client, "format", entries=[DOI], style="apa", form="markdown")
    assert "*Nature*" in formatted["bibliography"], formatted
    cited = await ask(client, "cite", text=f"As shown [@doi:{DOI}; @nobody].\n", style="apa")
    assert ", 1953; **nobody?**)" in cited["text"] and cited["unknown"] == ["nobody"], cited

    made = await ask(client, "create_collection", name="From an agent")
    added = await ask(client, "add_to_collection", collection=made["id"], entries=[DOI])
    assert added["count"] == 1, added
    again = await ask(client, "add_to_collection", collection=made["id"], entries=[DOI])
    assert again["count"] == 0, again
    read = await ask(client, "read_collection", id=made["id"])
    assert read["entries"][0]["work"]["doi"] == DOI, read

    resources = (await client.list_resources()).resources
    uris = [str(resource.uri) for resource in resources]
    assert f"citation://collections/{made['id']}" in uris, uris
    templates = (await client.list_resource_templates()).resource_templates
    assert len(templates) == 4, templates
    style = (await client.read_resource("citation://styles/apa")).contents[0]
    assert json.loads(style.text)["preview"], style
    file = f"citation://collections/{made['id']}/export.bib"
    assert DOI in (await client.read_resource(file)).contents[0].text

    wrong = await client.call_tool("lookup", {"query": "x", "colour": "red"})
    assert wrong.is_error and "colour" in wrong.content[0].text, wrong


async def main():
    for mode in ["auto", "legacy"]:
        for name, server, reads_files in [
            ("HTTP", over_http({"X-API-Key": api_key}), False),
            ("standard input", started(), True),
        ]:
            async with Client(server, mode=mode) as client:
                await use(client, reads_files)
                print(f"{name}, {mode}: {client.protocol_version}")
    await be_asked_to_sign_in()


async def be_asked_to_sign_in():
    """A tool that needs an account is answered as the protocol's authorization wants it: by status 401 and
    the address where a client learns how to sign in."""
    answers = []

    async def keep(response):
        answers.append(response)

    http_client = httpx2.AsyncClient(timeout=30, event_hooks={"response": [keep]})
    references = ["Watson 1953", "Crick 1953"]
    async with Client(streamable_http_client(f"{address}/mcp", http_client=http_client)) as client:
        try:
            answer = await client.call_tool("verify", {"references": references})
        except MCPError:
            pass
        else:
            raise AssertionError(answer)
    refused = [answer for answer in answers if answer.status_code == 401]
    assert refused, [answer.status_code for answer in answers]
    assert "resource_metadata=" in refused[0].headers["WWW-Authenticate"], refused[0].headers


asyncio.run(main())
