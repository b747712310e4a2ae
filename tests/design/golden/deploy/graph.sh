#!/bin/sh
# Creates the table of the model graph. Point it elsewhere with AWS_ENDPOINT_URL.
set -e
aws dynamodb create-table --cli-input-json '
{
  "TableName": "relations",
  "AttributeDefinitions": [
    {
      "AttributeName": "PK",
      "AttributeType": "S"
    },
    {
      "AttributeName": "SK",
      "AttributeType": "S"
    },
    {
      "AttributeName": "GSI1PK",
      "AttributeType": "S"
    },
    {
      "AttributeName": "GSI1SK",
      "AttributeType": "S"
    },
    {
      "AttributeName": "needsReview",
      "AttributeType": "S"
    }
  ],
  "KeySchema": [
    {
      "AttributeName": "PK",
      "KeyType": "HASH"
    },
    {
      "AttributeName": "SK",
      "KeyType": "RANGE"
    }
  ],
  "GlobalSecondaryIndexes": [
    {
      "IndexName": "GSI1",
      "KeySchema": [
        {
          "AttributeName": "GSI1PK",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "GSI1SK",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "ALL"
      }
    },
    {
      "IndexName": "ReviewQueue",
      "KeySchema": [
        {
          "AttributeName": "needsReview",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "PK",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "KEYS_ONLY"
      }
    }
  ],
  "BillingMode": "PAY_PER_REQUEST"
}
'
aws dynamodb wait table-exists --table-name 'relations'
aws dynamodb update-time-to-live --table-name 'relations' \
  --time-to-live-specification '{"Enabled":true,"AttributeName":"expiresAt"}'
