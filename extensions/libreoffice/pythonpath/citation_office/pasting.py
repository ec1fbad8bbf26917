"""Copies of citations. Writer drops the mark of a pasted text if the document has one of this name, so that a copy
would be plain text; before it pastes, the marks of the document that are in the clipboard get other names."""

from __future__ import annotations

import html
import io
import re
import zipfile
from typing import Any, Callable, List, Set

import unohelper
from com.sun.star.datatransfer import UnsupportedFlavorException
from com.sun.star.frame import XDispatch, XDispatchProviderInterceptor, XInterceptorInfo

from . import codes
from .fields import Fields
from .texts import one_step

PASTE = (".uno:Paste",)
# The office copies parts of its own documents in this form.
OWN = "application/x-openoffice-embed-source-xml"
# Bytes.
MAX_CLIPBOARD = 64 * 1024 * 1024
MARK = re.compile(r'<text:reference-mark-start text:name="([^"]*)"')


# The frames that are watched. A frame can have several views, one after another.
_watched: List[Any] = []
MAX_FRAMES = 100


def watch(context: Any, frame: Any) -> None:
    """Takes part in what a frame pastes."""
    if any(frame == other for other in _watched):
        return
    _watched.append(frame)
    del _watched[:-MAX_FRAMES]
    frame.registerDispatchProviderInterceptor(_Interceptor(context, frame))


def paste(context: Any, model: Any, do: Callable[[], None]) -> None:
    """Pastes by `do`, so that copies of citations stay citations."""
    names = clipboard_marks(context)
    if not names:
        do()
        return
    with one_step(model, "Paste"):
        if names & set(model.ReferenceMarks.ElementNames):
            _rename(model, names)
        do()
        # A pasted mark would draw in what is typed behind it; one that is made anew does not.
        _rename(model, names)


def _rename(model: Any, names: Set[str]) -> None:
    fields = Fields(model)
    for field in fields.read():
        if field.name in names and field.citation:
            fields.replace(field, fields.runs(field.anchor), field.citation)


def clipboard_marks(context: Any) -> Set[str]:
    """The names of the citations in the clipboard, if a part of a document is in it."""
    service = "com.sun.star.datatransfer.clipboard.SystemClipboard"
    clipboard = context.ServiceManager.createInstanceWithContext(service, context)
    content = clipboard.getContents() if clipboard is not None else None
    if content is None:
        return set()
    for flavor in content.getTransferDataFlavors():
        if flavor.MimeType.startswith(OWN):
            try:
                return marks_of(bytes(content.getTransferData(flavor).value))
            except (UnsupportedFlavorException, AttributeError, ValueError, OSError, zipfile.BadZipFile, KeyError):
                return set()
    return set()


def marks_of(package: bytes) -> Set[str]:
    """The names of the citations in an OpenDocument text."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        if archive.getinfo("content.xml").file_size > MAX_CLIPBOARD:
            return set()
        content = archive.read("content.xml").decode("utf-8", "replace")
    names = (html.unescape(name) for name in MARK.findall(content))
    return {name for name in names if codes.read_citation(name)}


class _Interceptor(unohelper.Base, XDispatchProviderInterceptor, XInterceptorInfo):
    def __init__(self, context: Any, frame: Any) -> None:
        self.context = context
        self.frame = frame
        self.slave = None
        self.master = None

    def getInterceptedURLs(self) -> Any:
        return PASTE

    def getSlaveDispatchProvider(self) -> Any:
        return self.slave

    def setSlaveDispatchProvider(self, provider: Any) -> None:
        self.slave = provider

    def getMasterDispatchProvider(self) -> Any:
        return self.master

    def setMasterDispatchProvider(self, provider: Any) -> None:
        self.master = provider

    def queryDispatch(self, url: Any, target: str, flags: int) -> Any:
        found = self.slave.queryDispatch(url, target, flags) if self.slave is not None else None
        if found is not None and url.Complete in PASTE:
            return _Dispatch(self.context, self.frame, found)
        return found

    def queryDispatches(self, requests: Any) -> Any:
        return tuple(self.queryDispatch(asked.FeatureURL, asked.FrameName, asked.SearchFlags) for asked in requests)


class _Dispatch(unohelper.Base, XDispatch):
    """The office's own command, with the marks aside."""

    def __init__(self, context: Any, frame: Any, dispatch: Any) -> None:
        self.context = context
        self.frame = frame
        self.inner = dispatch

    def dispatch(self, url: Any, arguments: Any) -> None:
        controller = self.frame.Controller
        model = controller.Model if controller is not None else None
        if model is None or not hasattr(model, "ReferenceMarks"):
            self.inner.dispatch(url, arguments)
            return
        paste(self.context, model, lambda: self.inner.dispatch(url, arguments))

    def addStatusListener(self, listener: Any, url: Any) -> None:
        self.inner.addStatusListener(listener, url)

    def removeStatusListener(self, listener: Any, url: Any) -> None:
        self.inner.removeStatusListener(listener, url)
