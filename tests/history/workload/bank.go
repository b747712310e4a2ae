package workload

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/cluster"
)

const openingBalance = 100

// bank is a run of transfers between accounts. Each transfer takes from one account on the condition that it
// has enough, gives to another, and leaves an entry of its own, all in one transaction.
type bank struct {
	*running
	recording sync.Mutex
	transfers map[string]transfer
}

type transfer struct {
	from, to, amount int
	outcome          cluster.Outcome
}

// Bank checks at each reading of all accounts that no money has come or gone and no account is overdrawn, and
// at the end that the accounts are what the entries say, that every acknowledged transfer has its entry,
// and that no refused one has.
func Bank(run Run) (Report, error) {
	state, err := run.start("bank")
	if err != nil {
		return Report{}, err
	}
	b := &bank{running: state, transfers: map[string]transfer{}}
	teller := state.session(0)
	for account := 0; account < run.Keys; account++ {
		_, err := teller.PutItem(state.context, &dynamodb.PutItemInput{TableName: teller.table(),
			Item: map[string]types.AttributeValue{"pk": text(keyName(account)), "balance": number(openingBalance)}})
		if err != nil {
			return state.report, err
		}
	}
	if err := state.everybody(b.act); err != nil {
		return state.report, err
	}
	return state.report, b.audit(teller)
}

func (b *bank) act(s *session) {
	switch dice := s.random.Intn(100); {
	case dice < 40:
		b.transfer(s, false)
	case dice < 60:
		b.transfer(s, true)
	case dice < 85:
		b.readWithGets(s)
	default:
		b.readWithStatements(s)
	}
}

func (b *bank) transfer(s *session, statements bool) {
	accounts := s.random.Perm(b.Keys)
	made := transfer{from: accounts[0], to: accounts[1], amount: 1 + s.random.Intn(openingBalance/2)}
	entry, token := "entry-"+s.version(), fmt.Sprintf("%x-%x", b.begin.UnixNano(), s.random.Int63())
	send := func() error { return b.sendActions(s, made, entry, token) }
	if statements {
		send = func() error { return b.sendStatements(s, made, entry, token) }
	}
	made.outcome = s.outcome(send())
	// A client that does not know asks again with the same token: the transfer must not be made twice, even
	// if a crash lies between. The answer then tells what is known.
	for tries := 0; made.outcome == cluster.Unknown && tries < 1000; tries++ {
		err := send()
		outcome := s.outcome(err)
		if outcome == cluster.Done {
			made.outcome = outcome
		} else if outcome == cluster.Refused && !conflicts(err) || outcome == cluster.Wrong {
			break // the first request may still be on its way, so its outcome stays unknown
		}
	}
	b.recording.Lock()
	defer b.recording.Unlock()
	b.transfers[entry] = made
}

func (b *bank) sendActions(s *session, made transfer, entry, token string) error {
	move := func(account int, sign, condition string) types.TransactWriteItem {
		update := &types.Update{TableName: s.table(), Key: keyOf(keyName(account)),
			UpdateExpression:          aws.String("SET balance = balance " + sign + " :amount"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":amount": number(made.amount)}}
		if condition != "" {
			update.ConditionExpression = aws.String(condition)
		}
		return types.TransactWriteItem{Update: update}
	}
	_, err := s.TransactWriteItems(b.context, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(token),
		TransactItems: []types.TransactWriteItem{
			move(made.from, "-", "balance >= :amount"),
			{Put: &types.Put{TableName: s.table(), Item: made.entry(entry),
				ConditionExpression: aws.String("attribute_not_exists(pk)")}},
			move(made.to, "+", ""),
		},
	})
	return err
}

func (b *bank) sendStatements(s *session, made transfer, entry, token string) error {
	statement := func(format string, parameters ...types.AttributeValue) types.ParameterizedStatement {
		return types.ParameterizedStatement{Statement: aws.String(fmt.Sprintf(format, b.table)), Parameters: parameters}
	}
	amount := number(made.amount)
	item := made.entry(entry)
	_, err := s.ExecuteTransaction(b.context, &dynamodb.ExecuteTransactionInput{
		ClientRequestToken: aws.String(token),
		TransactStatements: []types.ParameterizedStatement{
			statement(`UPDATE "%s" SET balance = balance - ? WHERE pk = ? AND balance >= ?`,
				amount, text(keyName(made.from)), amount),
			statement(`INSERT INTO "%s" VALUE {'pk': ?, 'source': ?, 'target': ?, 'amount': ?}`,
				item["pk"], item["source"], item["target"], item["amount"]),
			statement(`UPDATE "%s" SET balance = balance + ? WHERE pk = ?`, amount, text(keyName(made.to))),
		},
	})
	return err
}

func (t transfer) entry(name string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": text(name), "source": number(t.from), "target": number(t.to),
		"amount": number(t.amount)}
}

func (b *bank) accounts() []string {
	var accounts []string
	for account := 0; account < b.Keys; account++ {
		accounts = append(accounts, keyName(account))
	}
	return accounts
}

func (b *bank) readWithGets(s *session) {
	answer, err := s.TransactGetItems(b.context, readAll(s, b.accounts()))
	if s.outcome(err) == cluster.Done {
		b.balance("TransactGetItems", answer.Responses)
	}
}

func (b *bank) readWithStatements(s *session) {
	request := &dynamodb.ExecuteTransactionInput{}
	for _, account := range b.accounts() {
		request.TransactStatements = append(request.TransactStatements, types.ParameterizedStatement{
			Statement:  aws.String(fmt.Sprintf(`SELECT balance FROM "%s" WHERE pk = ?`, b.table)),
			Parameters: []types.AttributeValue{text(account)},
		})
	}
	answer, err := s.ExecuteTransaction(b.context, request)
	if s.outcome(err) == cluster.Done {
		b.balance("ExecuteTransaction", answer.Responses)
	}
}

// balance ends the run unless the accounts add up.
func (b *bank) balance(operation string, accounts []types.ItemResponse) {
	sum := 0
	var balances []int
	for _, account := range accounts {
		balance := integer(account.Item["balance"])
		balances = append(balances, balance)
		sum += balance
		if balance < 0 {
			b.fail(fmt.Errorf("%s saw an overdrawn account: %v", operation, balances))
		}
	}
	if sum != b.Keys*openingBalance {
		b.fail(fmt.Errorf("%s saw %d in all accounts together instead of %d: %v",
			operation, sum, b.Keys*openingBalance, balances))
	}
}

func integer(value types.AttributeValue) int {
	if found, is := value.(*types.AttributeValueMemberN); is {
		if result, err := strconv.Atoi(found.Value); err == nil {
			return result
		}
	}
	return -1 << 40
}
