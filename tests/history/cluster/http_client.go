package cluster

import (
	"bytes"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// wholeAnswers reads an answer to its end before the SDK gets it. The SDK closes the body of the request while it
// reads the answer, which under load makes net/http close the connection now and then ("use of closed network
// connection", aws-sdk-go-v2 issue 2737): an unknown outcome that is no doing of the server.
type wholeAnswers struct{ client *http.Client }

// NewHTTPClient is for SDK clients: connections of their own, no proxy, a bound on the time of a request.
func NewHTTPClient() aws.HTTPClient {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.MaxIdleConnsPerHost = 4
	return wholeAnswers{&http.Client{Transport: transport, Timeout: requestTimeout}}
}

func (w wholeAnswers) Do(request *http.Request) (*http.Response, error) {
	response, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}
