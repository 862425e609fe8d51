# A client of petstore.yaml with net/http. Without a name of a mistake it makes none.
require 'json'
require 'net/http'
require 'time'

BASE, KEY = ENV.values_at('PETSPEC_BASE_URL', 'PETSPEC_API_KEY')
MISTAKE = ARGV[0]

# Seconds until the service may be asked again, by its own clock.
def pause_of(response)
  after = response['Retry-After']
  return 0 if MISTAKE == 'hasty'
  return 1 if after.nil?
  return after.to_i if after.match?(/\A\d+\z/)

  [Time.httpdate(after) - Time.httpdate(response['Date']), 0].max + 1
end

def send_once(method, path, body)
  uri = URI(BASE + path)
  request = Net::HTTP.const_get(method).new(uri)
  request['X-Store-Key'] = KEY unless MISTAKE == 'no-key-to-remove' && method == 'Delete'
  unless body.nil?
    request.body = JSON.generate(body)
    request['Content-Type'] = 'application/json' unless MISTAKE == 'no-type'
  end
  Net::HTTP.start(uri.host, uri.port, nil) do |http|
    # Otherwise it repeats a GET by itself.
    http.max_retries = 0
    http.request(request)
  end
end

def ask(method, path, body = nil)
  5.times do
    response = send_once(method, path, body)
    # Net::HTTP takes a body that is cut off for a body.
    next if response.body && response.body.bytesize < response['Content-Length'].to_i

    case response.code.to_i
    when 200..299 then return response.body.to_s.empty? ? nil : JSON.parse(response.body)
    when 429, 500, 503
      abort 'it gives up' if MISTAKE == 'gives-up'
      sleep pause_of(response) + 0.1
    else abort "status #{response.code}"
    end
  rescue EOFError, SystemCallError
    next
  end
  abort 'refused five times'
end

ask('Get', '/pet/findByStatus?status=available')
name = MISTAKE == 'symbol-keys' ? { 'Name' => 'Rex' } : { 'name' => 'Rex' }
id = ask('Post', '/pet', { **name, 'photoUrls' => [], 'status' => 'available' })['id']
pet = ask('Get', "/pet/#{id}")
ask('Put', "/pet/#{id}", { 'name' => 'Max', 'photoUrls' => [], 'category' => { 'id' => pet['id'] } })
ask('Delete', "/pet/#{id}")
