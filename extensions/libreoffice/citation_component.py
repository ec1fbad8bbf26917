"""The component that LibreOffice loads: commands of the menu, events of documents, and operations for macros."""

import json

import unohelper
from com.sun.star.frame import XDispatch, XDispatchProvider
from com.sun.star.lang import XInitialization, XServiceInfo
from com.sun.star.task import XJob

from citation_office import events, scripting
from citation_office.commands import PROTOCOL, Commands

COMMANDS = "org.citation.office.Commands"
EVENTS = "org.citation.office.Events"
CITING = "org.citation.office.Citing"


class _Service(unohelper.Base, XServiceInfo):
    name = ""

    def getImplementationName(self):
        return self.name

    def supportsService(self, service):
        return service in self.getSupportedServiceNames()

    def getSupportedServiceNames(self):
        return (self.name,)


class ProtocolHandler(_Service, XInitialization, XDispatchProvider, XDispatch):
    """Carries out the commands of the menu, the toolbar and the keyboard."""

    name = COMMANDS

    def __init__(self, context, *_):
        self.context = context
        self.frame = None

    def initialize(self, arguments):
        self.frame = arguments[0] if arguments else None

    def queryDispatch(self, url, _target, _flags):
        return self if url.Complete.startswith(PROTOCOL) else None

    def queryDispatches(self, requests):
        return tuple(self.queryDispatch(request.FeatureURL, "", 0) for request in requests)

    def dispatch(self, url, _arguments):
        Commands(self.context, self.frame).run(url.Complete[len(PROTOCOL):])

    def addStatusListener(self, _listener, _url):
        pass

    def removeStatusListener(self, _listener, _url):
        pass


class DocumentEvents(_Service, XJob):
    """Called when a document is opened, shown or saved."""

    name = EVENTS

    def __init__(self, context, *_):
        self.context = context

    def execute(self, arguments):
        values = {argument.Name: argument.Value for argument in arguments}
        environment = {entry.Name: entry.Value for entry in values.get("Environment", ())}
        events.handle(self.context, environment.get("EventName", ""), environment.get("Model"))
        return None


class Citing(_Service, XJob):
    """Operations on a document, for macros and tests. The arguments are `operation`, `document`, and others of the
    operation as JSON in `arguments`; the answer is JSON."""

    name = CITING

    def __init__(self, context, *_):
        self.context = context

    def execute(self, arguments):
        values = {argument.Name: argument.Value for argument in arguments}
        wanted = json.loads(values.get("arguments") or "{}")
        answer = scripting.run(self.context, values.get("operation", ""), values.get("document"), wanted)
        return json.dumps(answer, ensure_ascii=False)


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(ProtocolHandler, COMMANDS, (COMMANDS, "com.sun.star.frame.ProtocolHandler"))
g_ImplementationHelper.addImplementation(DocumentEvents, EVENTS, (EVENTS, "com.sun.star.task.Job"))
g_ImplementationHelper.addImplementation(Citing, CITING, (CITING, "com.sun.star.task.Job"))
