"""The digest of what a publication says, kept in the audit row of its being published.

The row is sealed, so whatever is changed in a stored publication behind the program's back differs from it.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tournament.queries.audit_chain import canonical


def publication_digest(payload: Mapping[str, Any], withdrawn: bool) -> str:
    """SHA-256 of a publication's payload, and of whether it takes the matter off the public pages."""
    # Read as JSON first: keys that are numbers are sorted as the text they become.
    stated = {"payload": json.loads(json.dumps(payload)), "withdrawn": withdrawn}
    return hashlib.sha256(canonical(stated)).hexdigest()
