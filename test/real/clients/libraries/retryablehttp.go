// A client of projects.yaml with retryablehttp and its defaults.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client := retryablehttp.NewClient()
	client.Logger = nil
	ask := func(method, url string, body any) []byte {
		request, err := retryablehttp.NewRequest(method, url, body)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSPEC_API_KEY"))
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := client.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, err)
		}
		return text
	}
	base := os.Getenv("PETSPEC_BASE_URL") + "/projects"
	ask("GET", base+"?limit=10", nil)
	var added struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(ask("POST", base, []byte(`{"name":"Roof","state":"open"}`)), &added); err != nil {
		log.Fatal(err)
	}
	ask("GET", base+"/"+added.Data.ID, nil)
	ask("DELETE", base+"/"+added.Data.ID, nil)
}
