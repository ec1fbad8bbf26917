"""Dialogs of the office made of rows of controls."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

import unohelper
from com.sun.star.awt import XActionListener, XItemListener, XKeyListener, XTextListener

DIALOG = "com.sun.star.awt.UnoControlDialog"
RETURN = 1280  # com.sun.star.awt.Key.RETURN
POSITION = 3  # com.sun.star.awt.PosSize.POS
OK, CANCEL = 1, 2  # com.sun.star.awt.PushButtonType


class Window:
    """A dialog. Positions and sizes are in the units of the office's font, so that they grow with it."""

    def __init__(self, context: Any, title: str, width: int, height: int) -> None:
        self.context = context
        self.model = context.ServiceManager.createInstanceWithContext(f"{DIALOG}Model", context)
        self.model.setPropertyValues(("Height", "Title", "Width"), (height, title, width))
        self.window = context.ServiceManager.createInstanceWithContext(DIALOG, context)
        self._models: Dict[str, Any] = {}
        self.window.setModel(self.model)
        self._tab = 0

    def add(self, kind: str, name: str, x: int, y: int, width: int, height: int = 14, **properties: Any) -> Any:
        """Adds a control and returns it. The order of additions is that of the keyboard."""
        control = self.model.createInstance(f"com.sun.star.awt.UnoControl{kind}Model")
        values = {
            "PositionX": x, "PositionY": y, "Width": width, "Height": height, "Name": name, "TabIndex": self._tab,
            **properties,
        }
        self._tab += 1
        for key, value in values.items():
            # As attributes, lists have the type that the office expects.
            setattr(control, key, value)
        self.model.insertByName(name, control)
        # The models are there when the window has ended.
        self._models[name] = control
        return self.window.getControl(name)

    def label(self, name: str, text: str, x: int, y: int, width: int, height: int = 10, **properties: Any) -> Any:
        return self.add("FixedText", name, x, y, width, height, Label=text, **properties)

    def button(self, name: str, text: str, x: int, y: int, width: int, do: Optional[Callable[[], None]] = None,
               **properties: Any) -> Any:
        button = self.add("Button", name, x, y, width, 14, Label=text, **properties)
        if do is not None:
            button.addActionListener(_Action(do))
        return button

    def choices(self, name: str, x: int, y: int, width: int, texts: List[str]) -> Any:
        """A list that opens, with the first of its texts chosen."""
        return self.add(
            "ListBox", name, x, y, width, 14, Dropdown=True, LineCount=12, StringItemList=tuple(texts),
            SelectedItems=(0,),
        )

    def control(self, name: str) -> Any:
        return self.window.getControl(name)

    def text(self, name: str) -> str:
        return self._models[name].Text

    def set_text(self, name: str, text: str) -> None:
        model = self._models[name]
        if hasattr(model, "Text"):
            model.Text = text
        else:
            model.Label = text

    def chosen(self, name: str) -> int:
        """The position of the chosen line of a list; -1 for none."""
        lines = self._models[name].SelectedItems
        return lines[0] if lines else -1

    def choose(self, name: str, line: int) -> None:
        """Chooses a line. Only the model knows it before the window is there."""
        self._models[name].SelectedItems = (line,)

    def fill(self, name: str, lines: List[str], chosen: int = 0) -> None:
        """Fills a list and chooses a line."""
        self._models[name].StringItemList = tuple(lines)
        if lines:
            self.choose(name, min(chosen, len(lines) - 1))

    def enable(self, name: str, is_enabled: bool) -> None:
        self._models[name].Enabled = is_enabled

    def on_choice(self, name: str, do: Callable[[], None]) -> None:
        self.control(name).addItemListener(_Choice(do))

    def on_double(self, name: str, do: Callable[[], None]) -> None:
        self.control(name).addActionListener(_Action(do))

    def on_text(self, name: str, do: Callable[[], None]) -> None:
        self.control(name).addTextListener(_Text(do))

    def on_return(self, name: str, do: Callable[[], None]) -> None:
        self.control(name).addKeyListener(_Return(do))

    def show(self, parent: Any = None) -> None:
        """Creates the window without waiting for a person."""
        toolkit = self.context.ServiceManager.createInstanceWithContext("com.sun.star.awt.Toolkit", self.context)
        self.window.setVisible(False)
        self.window.createPeer(toolkit, parent)
        if parent is not None:
            around, size = parent.getPosSize(), self.window.getPosSize()
            left, top = (around.Width - size.Width) // 2, (around.Height - size.Height) // 3
            self.window.setPosSize(max(0, left), max(0, top), 0, 0, POSITION)

    def run(self, parent: Any = None) -> bool:
        """Shows the dialog until a person ends it; whether by OK."""
        self.show(parent)
        try:
            return bool(self.window.execute())
        finally:
            self.window.dispose()


def message(context: Any, parent: Any, kind: str, title: str, text: str, buttons: int = 1) -> int:
    """Shows a text: `INFOBOX`, `ERRORBOX` or `QUERYBOX`. Returns the button: 1 for OK."""
    import uno

    toolkit = context.ServiceManager.createInstanceWithContext("com.sun.star.awt.Toolkit", context)
    value = uno.Enum("com.sun.star.awt.MessageBoxType", kind)
    box = toolkit.createMessageBox(parent, value, buttons, title, text)
    try:
        return box.execute()
    finally:
        box.dispose()


class _Listener(unohelper.Base):
    def __init__(self, do: Callable[[], None]) -> None:
        self.do = do

    def disposing(self, _: Any) -> None:
        pass


class _Action(_Listener, XActionListener):
    def actionPerformed(self, _: Any) -> None:
        self.do()


class _Choice(_Listener, XItemListener):
    def itemStateChanged(self, _: Any) -> None:
        self.do()


class _Text(_Listener, XTextListener):
    def textChanged(self, _: Any) -> None:
        self.do()


class _Return(_Listener, XKeyListener):
    def keyPressed(self, _: Any) -> None:
        pass

    def keyReleased(self, event: Any) -> None:
        if event.KeyCode == RETURN:
            self.do()
