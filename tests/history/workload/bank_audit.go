package workload

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/cluster"
)

// audit compares accounts, entries and what the clients were told, when all clients have ended.
func (b *bank) audit(s *session) error {
	items, err := b.everything(s)
	if err != nil {
		return err
	}
	expected := map[string]int{}
	for _, account := range b.accounts() {
		expected[account] = openingBalance
	}
	for entry, made := range b.transfers {
		item, there := items[entry]
		switch {
		case there && (made.outcome == cluster.Refused || made.outcome == cluster.NotApplied):
			return fmt.Errorf("%s was refused, and is there", entry)
		case !there && made.outcome == cluster.Done:
			return fmt.Errorf("%s was acknowledged, and is not there", entry)
		case there:
			if found := integer(item["amount"]); found != made.amount {
				return fmt.Errorf("%s has the amount %d instead of %d", entry, found, made.amount)
			}
			expected[keyName(made.from)] -= made.amount
			expected[keyName(made.to)] += made.amount
		}
		delete(items, entry)
	}
	for account, balance := range expected {
		if found := integer(items[account]["balance"]); found != balance {
			return fmt.Errorf("%s has %d, and its entries say %d", account, found, balance)
		}
		delete(items, account)
	}
	for entry := range items {
		return fmt.Errorf("%s is there, and nobody made it", entry)
	}
	return nil
}

// everything is the whole table, by key.
func (b *bank) everything(s *session) (map[string]map[string]types.AttributeValue, error) {
	items := map[string]map[string]types.AttributeValue{}
	request := &dynamodb.ScanInput{TableName: s.table(), ConsistentRead: aws.Bool(true)}
	for {
		var page *dynamodb.ScanOutput
		err := s.insist(func() (err error) {
			page, err = s.Scan(b.context, request)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			items[item["pk"].(*types.AttributeValueMemberS).Value] = item
		}
		if len(page.LastEvaluatedKey) == 0 {
			return items, nil
		}
		request.ExclusiveStartKey = page.LastEvaluatedKey
	}
}
