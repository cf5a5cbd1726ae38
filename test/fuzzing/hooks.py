"""What Schemathesis cannot know of the API from its document."""

import json
import os
import re
import uuid
from datetime import datetime

import schemathesis
from hypothesis import strategies as st

DEMO = os.path.join(os.environ.get("DATA_DIR", ".data"), "demo.json")
with open(DEMO, encoding="utf-8") as file:
    PIN = json.load(file)["pin"]

# Texts that people read have no marks that nobody sees.
shown = st.characters(categories=["L", "N", "P", "S"])
schemathesis.openapi.format("visible-text", st.text(shown, min_size=1, max_size=100))
schemathesis.openapi.format("visible-lines", st.text(shown, min_size=1, max_size=100))

SCENARIOS = ["success", "pending-then-success"]


def is_moment(text):
    try:
        return datetime.fromisoformat(str(text)) is not None
    except ValueError:
        return False


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    """Right where the schema is right, for requests that are meant to be: what a schema cannot say."""
    body, headers, query = case.body, case.headers, case.query
    # A wrong PIN would lock the PIN, and every later request would only hear of that.
    if isinstance(body, dict) and re.fullmatch(r"\d{4,6}", str(body.get("pin"))):
        body["pin"] = PIN
    if case.meta is None or case.meta.generation.mode.is_negative:
        return
    # The same key with another request is refused, and every example has the same one.
    if "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    if headers.get("x-sandbox-scenario", SCENARIOS[0]) not in SCENARIOS:
        headers["x-sandbox-scenario"] = SCENARIOS[0]
    # A cursor comes from an answer; the sequence of an event is a number.
    for name in ("after", "before"):
        if case.operation.path != "/event":
            query.pop(name, None)
    # A period ends after it begins, and its days are in the calendar.
    for name in ("from", "to"):
        if name in query and (not is_moment(query[name]) or ("from" in query and name == "to")):
            query.pop(name)
