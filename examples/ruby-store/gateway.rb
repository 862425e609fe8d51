# frozen_string_literal: true

require 'digest'
require 'rack'
require_relative 'answers'

# Stands before the application: the key, then the limit. Rack middleware.
class Gateway
  def initialize(app, key:, limiter:)
    @app = app
    @key = key
    @limiter = limiter
  end

  def call(env)
    key = key_in(env)
    usage = @limiter.take(counted_as(key, env))
    status, headers, body = answer(env, key, usage)
    [status, headers.merge(limit_headers(usage)), body]
  end

  private

  def answer(env, key, usage)
    unless usage.allowed
      return Answers.refusal(429, 'too_many_requests', 'the limit of the plan is reached',
                             'Retry-After' => usage.retry_after.to_s)
    end
    unless key
      return Answers.refusal(401, 'unauthorized', 'the API key is missing or invalid',
                             'WWW-Authenticate' => 'Bearer realm="animals"')
    end
    @app.call(env)
  end

  # The key, if it is the right one.
  def key_in(env)
    key = env['HTTP_AUTHORIZATION'].to_s[/\ABearer +(\S+)\z/i, 1]
    key if key && Rack::Utils.secure_compare(key, @key)
  end

  # Requests without a valid key have a limit of their own for each address, so that keys cannot be guessed fast.
  # Redis does not learn the key.
  def counted_as(key, env)
    key ? "key:#{Digest::SHA256.hexdigest(key)}" : "address:#{env['REMOTE_ADDR']}"
  end

  def limit_headers(usage)
    {
      'X-RateLimit-Limit' => usage.limit.to_s,
      'X-RateLimit-Remaining' => usage.remaining.to_s,
      'X-RateLimit-Reset' => usage.reset.to_s
    }
  end
end
