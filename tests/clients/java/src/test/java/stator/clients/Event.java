package stator.clients;

import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An event that may expire. */
@DynamoDbBean
public class Event {
  private String source;
  private Integer number;
  private String text;
  private Long expires;

  public static Event of(String source, int number, String text) {
    Event event = new Event();
    event.setSource(source);
    event.setNumber(number);
    event.setText(text);
    return event;
  }

  @DynamoDbPartitionKey
  public String getSource() { return source; }
  public void setSource(String source) { this.source = source; }

  @DynamoDbSortKey
  public Integer getNumber() { return number; }
  public void setNumber(Integer number) { this.number = number; }

  public String getText() { return text; }
  public void setText(String text) { this.text = text; }

  public Long getExpires() { return expires; }
  public void setExpires(Long expires) { this.expires = expires; }
}
