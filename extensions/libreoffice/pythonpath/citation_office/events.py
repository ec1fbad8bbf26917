"""What happens when a document is opened, shown or saved."""

from __future__ import annotations

from typing import Any

from . import pasting, wordfiles

WRITER = "com.sun.star.text.TextDocument"
SAVING = ("OnSave",)
SAVED = ("OnSaveDone", "OnSaveFailed")
SAVED_AS = ("OnSaveAsDone",)


def handle(context: Any, event: str, model: Any) -> None:
    """Handles an event of a document. A document of another kind is left alone."""
    if model is None or not model.supportsService(WRITER):
        return
    if event in SAVING:
        wordfiles.before_saving(model)
    elif event in SAVED:
        wordfiles.after_saving(model, event == "OnSaveDone")
    elif event in SAVED_AS:
        # Only now is it known what the file is. Written as one of Word, it has lost the marks.
        if wordfiles.is_word(model) and wordfiles.has_marks(model):
            model.store()
    elif event in ("OnLoad", "OnLoadFinished"):
        if wordfiles.is_word(model):
            wordfiles.adopt(model)
    elif event == "OnViewCreated":
        controller = model.CurrentController
        if controller is not None and controller.Frame is not None:
            pasting.watch(context, controller.Frame)
