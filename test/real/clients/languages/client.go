// A client of petstore.yaml with net/http. Without a name of a mistake it makes none.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

var base, key = os.Getenv("PETSPEC_BASE_URL"), os.Getenv("PETSPEC_API_KEY")
var mistake string

type category struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type newPet struct {
	Name      string    `json:"name"`
	PhotoURLs []string  `json:"photoUrls"`
	Category  *category `json:"category,omitempty"`
	Status    string    `json:"status,omitempty"`
}

// Until the service may be asked again, by its own clock.
func pauseOf(headers http.Header) time.Duration {
	after := headers.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil {
		if mistake == "seconds-as-ms" {
			return time.Duration(seconds) * time.Millisecond
		}
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(after)
	if err != nil {
		return time.Second
	}
	now, err := http.ParseTime(headers.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return until.Sub(now) + time.Second
}

func ask(method, path string, body any) []byte {
	text, _ := json.Marshal(body)
	for attempt := 0; attempt < 5; attempt++ {
		request, _ := http.NewRequest(method, base+path, nil)
		if body != nil {
			request, _ = http.NewRequest(method, base+path, bytes.NewReader(text))
			request.Header.Set("Content-Type", "application/json")
		}
		request.Header.Set("X-Store-Key", key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		read, err := io.ReadAll(response.Body)
		response.Body.Close()
		switch {
		case err != nil:
		case response.StatusCode < 300:
			return read
		case response.StatusCode == 429 || response.StatusCode == 500 || response.StatusCode == 503:
			time.Sleep(pauseOf(response.Header) + 100*time.Millisecond)
		default:
			fmt.Fprintln(os.Stderr, "status", response.StatusCode)
			os.Exit(1)
		}
	}
	fmt.Fprintln(os.Stderr, "refused five times")
	os.Exit(1)
	return nil
}

// The id in a pet: as a float64, which any number becomes without a type.
func idOf(pet []byte) int64 {
	if mistake == "floats" {
		var found map[string]any
		_ = json.Unmarshal(pet, &found)
		id, _ := found["id"].(float64)
		return int64(id)
	}
	var found category
	_ = json.Unmarshal(pet, &found)
	return found.ID
}

func main() {
	if len(os.Args) > 1 {
		mistake = os.Args[1]
	}
	ask("GET", "/pet/findByStatus?status=available", nil)
	rex := newPet{Name: "Rex", PhotoURLs: []string{}, Status: "available"}
	if mistake == "no-list" {
		rex.PhotoURLs = nil
	}
	path := fmt.Sprintf("/pet/%d", idOf(ask("POST", "/pet", rex)))
	pet := ask("GET", path, nil)
	ask("PUT", path, newPet{Name: "Max", PhotoURLs: []string{}, Category: &category{ID: idOf(pet), Name: "dogs"}})
	if mistake == "deprecated" {
		ask("GET", "/pet/findByTags?tags=dog", nil)
	}
	ask("DELETE", path, nil)
}
