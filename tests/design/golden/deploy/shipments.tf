resource "aws_dynamodb_table" "shipments" {
  name         = "shipments"
  billing_mode = "PROVISIONED"
  read_capacity  = 2000
  write_capacity = 4000
  hash_key     = "PK"
  range_key    = "SK"
  stream_enabled   = true
  stream_view_type = "NEW_IMAGE"

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "boardKey"
    type = "S"
  }

  attribute {
    name = "changedAt"
    type = "S"
  }

  global_secondary_index {
    name            = "Board"
    hash_key        = "boardKey"
    range_key       = "changedAt"
    projection_type = "INCLUDE"
    non_key_attributes = ["state","place"]
    read_capacity   = 2000
    write_capacity  = 4000
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  lifecycle {
    ignore_changes = [read_capacity, write_capacity]
  }
}

resource "aws_appautoscaling_target" "shipments_read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/shipments"
  scalable_dimension = "dynamodb:table:ReadCapacityUnits"
  min_capacity       = 500
  max_capacity       = 6000
}

resource "aws_appautoscaling_policy" "shipments_read" {
  name               = "shipments_read"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.shipments_read.service_namespace
  resource_id        = aws_appautoscaling_target.shipments_read.resource_id
  scalable_dimension = aws_appautoscaling_target.shipments_read.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "DynamoDBReadCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "shipments_write" {
  service_namespace  = "dynamodb"
  resource_id        = "table/shipments"
  scalable_dimension = "dynamodb:table:WriteCapacityUnits"
  min_capacity       = 1000
  max_capacity       = 12000
}

resource "aws_appautoscaling_policy" "shipments_write" {
  name               = "shipments_write"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.shipments_write.service_namespace
  resource_id        = aws_appautoscaling_target.shipments_write.resource_id
  scalable_dimension = aws_appautoscaling_target.shipments_write.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "shipments_Board_read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/shipments/index/Board"
  scalable_dimension = "dynamodb:index:ReadCapacityUnits"
  min_capacity       = 500
  max_capacity       = 6000
}

resource "aws_appautoscaling_policy" "shipments_Board_read" {
  name               = "shipments_Board_read"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.shipments_Board_read.service_namespace
  resource_id        = aws_appautoscaling_target.shipments_Board_read.resource_id
  scalable_dimension = aws_appautoscaling_target.shipments_Board_read.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "DynamoDBReadCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "shipments_Board_write" {
  service_namespace  = "dynamodb"
  resource_id        = "table/shipments/index/Board"
  scalable_dimension = "dynamodb:index:WriteCapacityUnits"
  min_capacity       = 1000
  max_capacity       = 12000
}

resource "aws_appautoscaling_policy" "shipments_Board_write" {
  name               = "shipments_Board_write"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.shipments_Board_write.service_namespace
  resource_id        = aws_appautoscaling_target.shipments_Board_write.resource_id
  scalable_dimension = aws_appautoscaling_target.shipments_Board_write.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}
