# frozen_string_literal: true

require 'json'
require 'sinatra/base'

# A request that cannot be served. Sinatra answers it with an Error body.
class Refused < StandardError
  attr_reader :status, :code

  def initialize(status, code, message)
    super(message)
    @status = status
    @code = code
  end
end

# What both addresses share: JSON in, JSON out, and Errors.
class Answers < Sinatra::Base
  JSON_TYPE = { 'Content-Type' => 'application/json' }.freeze

  # Meant for pages and forms in browsers. This is an API, and other clients send any Origin they like.
  set :protection, false
  set :show_exceptions, false
  set :raise_errors, false
  set :dump_errors, false
  set :static, false
  set :default_content_type, 'application/json'

  # A Rack response with an Error body; also for the gateway, which answers before Sinatra does.
  def self.refusal(status, code, message, headers = {})
    body = JSON.generate(code: code, message: message, status: status)
    [status, JSON_TYPE.merge(headers), [body]]
  end

  error Refused do
    refused = env['sinatra.error']
    self.class.refusal(refused.status, refused.code, refused.message)
  end

  # A query that Rack cannot read.
  error(Sinatra::BadRequest) { self.class.refusal(400, 'bad_request', 'the query is malformed') }

  # Also for paths that have no route.
  error(Sinatra::NotFound) { self.class.refusal(404, 'not_found', 'there is nothing at this address') }

  error do
    warn env['sinatra.error'].full_message
    self.class.refusal(500, 'internal', 'something went wrong')
  end

  # A string as RFC 8259 has it. Ruby's parser also takes other escapes, control characters, and comments.
  STRING = %r{"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u\h{4}))*"}

  private

  def json(value, status = 200)
    [status, JSON_TYPE, [JSON.generate(value)]]
  end

  # The body of the request, a JSON object; anything else is refused.
  def json_object
    text = request.body.read.force_encoding(Encoding::UTF_8)
    raise Refused.new(400, 'invalid_json', 'the body is not UTF-8') unless text.valid_encoding?

    raise JSON::ParserError if text.gsub(STRING, '').match?(%r{["\\/]})

    body = JSON.parse(text)
    return body if body.is_a?(Hash)

    raise Refused.new(400, 'invalid_body', 'the body is not an object')
  rescue JSON::ParserError
    raise Refused.new(400, 'invalid_json', 'the body is not valid JSON')
  end
end
