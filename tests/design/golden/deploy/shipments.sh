#!/bin/sh
# Creates the table of the model shipments. Point it elsewhere with AWS_ENDPOINT_URL.
set -e
aws dynamodb create-table --cli-input-json '
{
  "TableName": "shipments",
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
      "AttributeName": "boardKey",
      "AttributeType": "S"
    },
    {
      "AttributeName": "changedAt",
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
      "IndexName": "Board",
      "KeySchema": [
        {
          "AttributeName": "boardKey",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "changedAt",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": [
          "state",
          "place"
        ]
      },
      "ProvisionedThroughput": {
        "ReadCapacityUnits": 2000,
        "WriteCapacityUnits": 4000
      }
    }
  ],
  "BillingMode": "PROVISIONED",
  "ProvisionedThroughput": {
    "ReadCapacityUnits": 2000,
    "WriteCapacityUnits": 4000
  },
  "StreamSpecification": {
    "StreamEnabled": true,
    "StreamViewType": "NEW_IMAGE"
  }
}
'
aws dynamodb wait table-exists --table-name 'shipments'
aws dynamodb update-time-to-live --table-name 'shipments' \
  --time-to-live-specification '{"Enabled":true,"AttributeName":"expiresAt"}'
