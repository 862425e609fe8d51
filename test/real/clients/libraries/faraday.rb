# A client of projects.yaml with Faraday and its retry middleware.
require 'date' # Faraday 1 forgets it.
require 'faraday'
require 'json'

connection = Faraday.new(headers: { 'Authorization' => "Bearer #{ENV.fetch('PETSPEC_API_KEY')}" }, proxy: nil) do |faraday|
  # Outside of the retries, which do not see what it raises otherwise.
  faraday.response :raise_error
  faraday.request :retry, max: 3, interval: 0.05, interval_randomness: 0.5, backoff_factor: 2,
                          retry_statuses: [429, 503]
end
base = "#{ENV.fetch('PETSPEC_BASE_URL')}/projects"
connection.get(base, limit: 10)
added = connection.post(base, JSON.generate(name: 'Roof', state: 'open'), 'Content-Type' => 'application/json')
url = "#{base}/#{JSON.parse(added.body)['data']['id']}"
connection.get(url)
connection.delete(url)
