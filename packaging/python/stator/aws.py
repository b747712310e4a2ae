"""AWS clients for a server: nothing of the user's own set-up or proxy gets into a test, nor the test into an account."""

import os
from typing import Any, Dict, Optional

REGION = "us-east-1"
KEY = "stator"  # any will do

# The services that a server speaks, as the SDKs name their endpoints in the environment.
_SERVICES = ("DYNAMODB", "DYNAMODB_STREAMS", "CLOUDWATCH", "APPLICATION_AUTO_SCALING")


def session() -> Any:
    """A boto3 session with keys and region, without configuration files and profiles."""
    import boto3  # only who asks for boto3 needs it
    import botocore.session

    files = {
        "profile": (None, None, None, None),
        "config_file": (None, None, os.devnull, None),
        "credentials_file": (None, None, os.devnull, None),
    }
    return boto3.Session(
        KEY, KEY, region_name=REGION, botocore_session=botocore.session.Session(session_vars=files)
    )


def client_options(endpoint_url: str) -> Dict[str, Any]:
    """What a client or resource of that session is made with."""
    import botocore.config

    return {"endpoint_url": endpoint_url, "config": botocore.config.Config(proxies={})}


def environment(endpoint_url: str) -> Dict[str, Optional[str]]:
    """Variables that lead clients, however they are made, to the server; None: not to be set."""
    return {
        **{f"AWS_ENDPOINT_URL_{service}": endpoint_url for service in _SERVICES},
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": None,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_SESSION_TOKEN": None,
        "AWS_PROFILE": None,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
    }
