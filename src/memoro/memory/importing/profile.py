"""The profile on its way in: what is not known yet, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from memoro.errors import Refusal
from memoro.memory.importing.outcome import FORGOTTEN, KNOWN, Taken
from memoro.memory.importing.staging import Staged
from memoro.memory.inbox import Proposal, propose
from memoro.memory.profile.changing import Said, planned
from memoro.memory.profile.entries import label, record_id
from memoro.memory.profile.fields import DIRECTIVES
from memoro.memory.profile.saying import Step, read_pair
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust, shown
from memoro.memory.store import Change, ChangeSet

_DECIDED = ("accept", "reject")


def take_profile(staged: Staged, record: Record) -> Taken:
    """A pair of the profile, as if it had been inferred at its time. A directive is never
    inferred: it waits in the inbox."""
    pair = (record.key or "", record.text)
    step = read_pair(*pair)
    if isinstance(step, Refusal):
        return Taken("left", step.what)
    if step.target.op != "put":
        return Taken("left", f"{shown(pair[0])} reads as something to be done, not as a name")
    if step.target.field == DIRECTIVES:
        return _proposed(staged, record, step)
    wanted = planned(staged, Said([pair], Trust.INFERRED, record.updated_at))
    if isinstance(wanted, Refusal):
        return Taken("left", wanted.what)
    if not wanted.changes:
        return Taken("left", wanted.notices[0]) if wanted.notices else KNOWN
    why = _against(staged, wanted.changes)
    if why is not None:
        return why
    return _put(staged, wanted.changes, record)


def _against(staged: Staged, changes: Sequence[Change]) -> Taken | None:
    """What keeps changes from being made: that they touch what is here."""
    for before, after in changes:
        if before is None or not staged.is_stored(before):
            continue
        if after is not None and after.text == before.text:
            return KNOWN
        new = "" if after is None else f", and is not changed to {shown(after.text)}"
        return Taken("left", f"{label(before)}: it is {shown(before.text)} here{new}")
    return None


def _put(staged: Staged, changes: Sequence[Change], given: Record) -> Taken:
    new: Record | None = None
    for before, after in changes:
        if after is None:
            assert before is not None, "a change has a before or an after"
            staged.drop(before)
            continue
        if before is None and after.id != record_id(after.key or ""):
            return Taken("left", f"{label(after)}: {FORGOTTEN}")
        data = {**after.data, "imported": given.data.get("imported", {})}
        if given.data.get("sensitive"):
            data["sensitive"] = True
        new = after._replace(data=data, revision=1)
        staged.put(new)
    return KNOWN if new is None else Taken("new", record=new)


def _proposed(staged: Staged, given: Record, step: Step) -> Taken:
    """A directive, which waits for the user's word."""
    if all(staged.select(PROFILE.name, GLOBAL, key=one.key) for one in step.items):
        return KNOWN
    text = f"{DIRECTIVES}={given.text}"
    own = "i_" + sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
    decided = next(iter(staged.reader.changes(record=own, limit=1)), None)
    if decided is not None and decided.action in _DECIDED:
        return KNOWN
    content = {"pairs": [[DIRECTIVES, given.text]], "at": given.updated_at.isoformat()}
    effect = f"new: {shown(given.text, 60)}"
    proposal = Proposal(own, "profile", text, content, effect, GLOBAL, given.updated_at)
    wanted = propose(proposal)(staged)
    if isinstance(wanted, Refusal):
        return KNOWN
    assert isinstance(wanted, ChangeSet), "nothing here forgets"
    (change,) = wanted.changes
    assert change.after is not None, "a proposal is made"
    record = change.after._replace(
        data={**change.after.data, "imported": given.data.get("imported", {})}
    )
    staged.put(record)
    return Taken("new", record=record)
