import os

# Libraries make clients of their own; these are what such a client looks for.
os.environ |= {"AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecret", "AWS_DEFAULT_REGION": "us-east-1"}
