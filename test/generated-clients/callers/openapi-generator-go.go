// Does what certify asks of a caller, with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"caller/workflow"
)

var (
	ends = []string{"completed", "failed", "cancelled"}
	// What a gateway says of a start that may have taken effect.
	lost = []int{502, 503, 504}

	errUnknown = errors.New("nobody knows whether it took effect")
	errMissing = errors.New("there is no such execution")
)

type started struct {
	id, status string
}

type caller struct {
	ctx    context.Context
	client *workflow.APIClient
}

func newCaller() caller {
	configuration := workflow.NewConfiguration()
	configuration.Servers = workflow.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	key := workflow.APIKey{Key: os.Getenv("WORKFLOW_API_KEY")}
	keys := map[string]workflow.APIKey{"apiKey": key, "serviceAgentsApiKey": key}
	ctx := context.WithValue(context.Background(), workflow.ContextAPIKeys, keys)
	return caller{ctx, workflow.NewAPIClient(configuration)}
}

func (c caller) start() (started, error) {
	given := []byte(os.Getenv("CERTIFY_REQUEST"))
	executions, id := c.client.ExecutionsAPI, os.Getenv("WORKFLOW_ID")
	if os.Getenv("CERTIFY_JOB") == "async" {
		var request workflow.ExecuteRequest
		if err := json.Unmarshal(given, &request); err != nil {
			return started{}, err
		}
		answer, response, err := executions.Execute(c.ctx, id).ExecuteRequest(request).Execute()
		if err != nil {
			return started{}, failureOf(response, err)
		}
		return started{answer.ExecutionId, string(answer.Status)}, nil
	}
	var request workflow.ExecuteSyncRequest
	if err := json.Unmarshal(given, &request); err != nil {
		return started{}, err
	}
	answer, response, err := executions.ExecuteSync(c.ctx, id).ExecuteSyncRequest(request).Execute()
	if err == nil {
		return started{answer.ExecutionId, string(answer.Status)}, nil
	}
	// Of the two answers that succeed the generated method reads a 202 as if it were a 200.
	var failure *workflow.GenericOpenAPIError
	if response != nil && response.StatusCode == 202 && errors.As(err, &failure) {
		var going workflow.UnfinishedExecution
		if err := json.Unmarshal(failure.Body(), &going); err == nil {
			return started{going.ExecutionId, string(going.Status)}, nil
		}
	}
	return started{}, failureOf(response, err)
}

func failureOf(response *http.Response, err error) error {
	if response == nil || response.StatusCode < 300 || slices.Contains(lost, response.StatusCode) {
		return errUnknown
	}
	return err
}

// read gives nil where nobody knows.
func (c caller) read(id string) (*workflow.Execution, error) {
	execution, response, err := c.client.ExecutionsAPI.GetExecution(c.ctx, id).Execute()
	if err == nil {
		return execution, nil
	}
	if response != nil && response.StatusCode == 404 {
		return nil, errMissing
	}
	if response != nil && slices.Contains([]int{400, 401, 403}, response.StatusCode) {
		return nil, err
	}
	// A state that this client does not know, or half of an answer.
	return nil, nil
}

func (c caller) follow(id string) (string, error) {
	for {
		execution, err := c.read(id)
		if err != nil {
			return "", err
		}
		if execution != nil && slices.Contains(ends, string(execution.Status)) {
			return string(execution.Status), nil
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (c caller) run() (string, error) {
	one, err := c.start()
	if errors.Is(err, errUnknown) {
		// It may have started: it is looked up before it is started again.
		status, err := c.follow(os.Getenv("CERTIFY_EXECUTION_ID"))
		if !errors.Is(err, errMissing) {
			return status, err
		}
		one, err = c.start()
		if err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	if slices.Contains(ends, one.status) {
		return one.status, nil
	}
	return c.follow(one.id)
}

func (c caller) lookAfter() (string, error) {
	id, profiles := os.Getenv("PROFILE_ID"), c.client.AgentProfilesAPI
	update := workflow.NewAgentProfileUpdate()
	update.SetDescription("Looked after.")
	if _, _, err := profiles.UpdateProfile(c.ctx, id).AgentProfileUpdate(*update).Execute(); err != nil {
		return "", err
	}
	// Without a request it would send null.
	request := *workflow.NewDuplicateProfileRequest()
	copied, _, err := profiles.DuplicateProfile(c.ctx, id).DuplicateProfileRequest(request).Execute()
	if err != nil {
		return "", err
	}
	_, _, err = c.client.AgentProfilePoolsAPI.DeletePool(c.ctx, os.Getenv("POOL_ID")).Execute()
	return copied.Name, err
}

func (c caller) miss() (string, error) {
	_, _, err := c.client.ExecutionsAPI.GetExecution(c.ctx, os.Getenv("CERTIFY_EXECUTION_ID")).Execute()
	var failure *workflow.GenericOpenAPIError
	if !errors.As(err, &failure) {
		return "", err
	}
	body, isNotFound := failure.Model().(workflow.NotFoundError)
	if !isNotFound {
		return "", err
	}
	return fmt.Sprint(body.Code, " ", body.Message), nil
}

func main() {
	c := newCaller()
	word, do := "ended", c.run
	switch os.Getenv("CERTIFY_JOB") {
	case "profile":
		word, do = "copied", c.lookAfter
	case "missing":
		word, do = "refused", c.miss
	}
	said, err := do()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(word, said)
}
