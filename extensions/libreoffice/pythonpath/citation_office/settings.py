"""The server's address and the key, in the office's own password container."""

from __future__ import annotations

from typing import Any, NamedTuple

# Under which the container keeps them: the address as the user's name, the key as the password.
PLACE = "https://citation.extension.invalid/"
DEFAULT_ADDRESS = "http://127.0.0.1:8080"
# The container keeps no empty password.
NO_KEY = "-"


class Settings(NamedTuple):
    address: str = DEFAULT_ADDRESS
    key: str = ""


def read(context: Any) -> Settings:
    container = _container(context)
    users = container.find(PLACE, _handler(context)).UserList
    if not users:
        return Settings()
    user = users[0]
    key = user.Passwords[0] if user.Passwords else ""
    return Settings(user.UserName, "" if key == NO_KEY else key)


def write(context: Any, settings: Settings, is_kept: bool) -> bool:
    """Stores them, for good if `is_kept` and the office may store passwords, else until it ends. Whether they were
    stored for good."""
    container = _container(context)
    handler = _handler(context)
    for user in container.find(PLACE, handler).UserList:
        container.remove(PLACE, user.UserName)
        container.removePersistent(PLACE, user.UserName)
    passwords = (settings.key or NO_KEY,)
    if is_kept and container.isPersistentStoringAllowed():
        container.addPersistent(PLACE, settings.address, passwords, handler)
        return True
    container.add(PLACE, settings.address, passwords, handler)
    return False


def allow_storing(context: Any) -> None:
    """Lets the office store passwords, which it does only if a person agrees. With no master password of the
    person's own, the office uses its default one."""
    container = _container(context)
    container.allowPersistentStoring(True)
    if not container.hasMasterPassword():
        container.useDefaultMasterPassword(_handler(context))


def may_store(context: Any) -> bool:
    return _container(context).isPersistentStoringAllowed()


def _container(context: Any) -> Any:
    return context.ServiceManager.createInstanceWithContext("com.sun.star.task.PasswordContainer", context)


def _handler(context: Any) -> Any:
    """Asks for the master password, if the person set one."""
    return context.ServiceManager.createInstanceWithContext("com.sun.star.task.InteractionHandler", context)
