package stator.clients;

import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbAtomicCounter;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A page with two counters that the server increments. */
@DynamoDbBean
public class Visits {
  private String page;
  private String title;
  private Long views;
  private Long points;

  @DynamoDbPartitionKey
  public String getPage() { return page; }
  public void setPage(String page) { this.page = page; }

  public String getTitle() { return title; }
  public void setTitle(String title) { this.title = title; }

  @DynamoDbAtomicCounter
  public Long getViews() { return views; }
  public void setViews(Long views) { this.views = views; }

  @DynamoDbAtomicCounter(delta = 5, startValue = 10)
  public Long getPoints() { return points; }
  public void setPoints(Long points) { this.points = points; }
}
