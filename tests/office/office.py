"""A headless LibreOffice of its own, with the extension, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

import uno
import unohelper
from com.sun.star.beans import NamedValue, PropertyValue
from com.sun.star.ucb import XCommandEnvironment, XProgressHandler
from com.sun.star.task import XInteractionHandler

SOFFICE = os.environ.get("CITATION_SOFFICE", "soffice")
# Seconds.
START = 90
ATTEMPTS = 4
FILTERS = {"odt": "writer8", "docx": "MS Word 2007 XML", "fodt": "OpenDocument Text Flat XML"}


def values(**wanted: Any) -> tuple:
    return tuple(PropertyValue(Name=name, Value=value) for name, value in wanted.items())


class _Agree(unohelper.Base, XInteractionHandler, XCommandEnvironment, XProgressHandler):
    """Agrees to what an installation asks."""

    def getInteractionHandler(self):
        return self

    def getProgressHandler(self):
        return self

    def handle(self, request):
        for continuation in request.getContinuations():
            if continuation.queryInterface(uno.getTypeByName("com.sun.star.task.XInteractionApprove")):
                continuation.select()

    def push(self, _):
        pass

    def update(self, _):
        pass

    def pop(self):
        pass


class Office:
    """A running office with its own profile."""

    def __init__(self, folder: Path, arguments: Optional[List[str]] = None) -> None:
        self.folder = folder
        self.profile = folder / "profile"
        self.arguments = ["--headless"] if arguments is None else arguments
        self.process: Optional[subprocess.Popen] = None
        self.context: Any = None

    def start(self) -> None:
        pipe = f"citation{os.getpid()}x{time.monotonic_ns()}"
        command = [
            SOFFICE, *self.arguments, "--norestore", "--nologo", "--nodefault", "--nofirststartwizard",
            f"-env:UserInstallation={self.profile.as_uri()}", f"--accept=pipe,name={pipe};urp;",
        ]
        log = open(self.folder / "office.log", "ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + START
        while True:
            try:
                self.context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                return
            except Exception:
                if time.monotonic() > end or self.process.poll() not in (None, 0, 81):
                    raise
                time.sleep(0.1)

    def stop(self) -> None:
        try:
            self.service("com.sun.star.frame.Desktop").terminate()
        except Exception:
            pass
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)

    def service(self, name: str) -> Any:
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def start_with(self, extension: Path) -> None:
        """Starts with a new profile that has an extension. An office that ends on its first start, as happens
        now and then on a busy machine, is tried again with another profile; what it wrote is printed."""
        for attempt in range(1, ATTEMPTS + 1):
            self.profile = self.folder / f"profile{attempt}"
            try:
                self.start()
                self._install(extension)
                return
            except Exception as error:
                log = (self.folder / "office.log").read_text(errors="replace")
                code = self.process.poll()
                print(f"attempt {attempt}: {error} (exit code {code})\n{log}", flush=True)
                self.stop()
                if attempt == ATTEMPTS:
                    raise

    def _install(self, extension: Path) -> None:
        """Installs an extension, and starts anew with it."""
        manager = self.context.getValueByName("/singletons/com.sun.star.deployment.ExtensionManager")
        manager.addExtension(extension.as_uri(), (), "user", None, _Agree())
        self.stop()
        self.start()

    def new(self) -> "Document":
        return self.open("private:factory/swriter")

    def open(self, url: Any) -> "Document":
        url = url.as_uri() if isinstance(url, Path) else url
        model = self.service("com.sun.star.frame.Desktop").loadComponentFromURL(url, "_blank", 0, values(Hidden=True))
        return Document(self, model)

    def run(self, operation: str, model: Any = None, **wanted: Any) -> Dict[str, Any]:
        """Runs an operation of the extension."""
        service = self.service("org.citation.office.Citing")
        arguments = [NamedValue("operation", operation), NamedValue("arguments", json.dumps(wanted))]
        if model is not None:
            arguments.append(NamedValue("document", model))
        return json.loads(service.execute(tuple(arguments)))


class Document:
    """A document, and what a person does with it."""

    def __init__(self, office: Office, model: Any) -> None:
        self.office = office
        self.model = model

    @property
    def view(self) -> Any:
        return self.model.CurrentController.ViewCursor

    def type(self, text: str) -> None:
        """Writes at the end of the text; a line feed begins a paragraph."""
        cursor = self.model.Text.createTextCursor()
        cursor.gotoEnd(False)
        self.model.Text.insertString(cursor, text.replace("\n", "\r"), False)
        self.view.gotoRange(cursor, False)

    def end(self) -> None:
        self.view.gotoRange(self.model.Text.End, False)

    def run(self, operation: str, **wanted: Any) -> Dict[str, Any]:
        answer = self.office.run(operation, self.model, **wanted)
        assert "error" not in answer, f"{answer['error']}: {answer['detail']}"
        return answer

    def cite(self, *cites: Dict[str, Any]) -> Dict[str, Any]:
        return self.run("insert", cites=list(cites))

    def fields(self) -> List[Dict[str, Any]]:
        return self.run("fields")["fields"]

    def texts(self) -> List[str]:
        return [field["text"] for field in self.fields()]

    def dispatch(self, command: str, **arguments: Any) -> None:
        helper = self.office.service("com.sun.star.frame.DispatchHelper")
        helper.executeDispatch(self.model.CurrentController.Frame, command, "", 0, values(**arguments))

    def mark(self, number: int) -> Any:
        """The range of a field."""
        wanted = self.fields()[number]["citation"]["citationID"]
        marks = self.model.ReferenceMarks
        return next(marks.getByName(name).Anchor for name in marks.ElementNames if wanted in name)

    def select(self, found: Any) -> None:
        self.model.CurrentController.select(found)

    def save_as(self, path: Path) -> Path:
        self.model.storeAsURL(path.as_uri(), values(FilterName=FILTERS[path.suffix[1:]]))
        return path

    def close(self) -> None:
        self.model.close(True)

    def text(self) -> str:
        return self.model.Text.String
