# frozen_string_literal: true

# Counts requests in Redis, so that several processes share the count: a log of the times of the requests that were let
# through, for the last minute and for the last day. A request is let through if both have room.
class Limiter
  # Requests per minute and per day.
  PLANS = { 'free' => [60, 1_000], 'pro' => [300, 10_000], 'business' => [1_000, 100_000] }.freeze
  DAY_MS = 86_400_000

  # What a client is told of its limit: of the window that has less left.
  Usage = Struct.new(:allowed, :limit, :remaining, :reset, :retry_after, keyword_init: true)

  # KEYS: one log per window. ARGV: limit and length in ms of each. Redis runs it in one go, by its own clock.
  SCRIPT = <<~LUA
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local allowed = 1
    for i, key in ipairs(KEYS) do
      local limit, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
      redis.call('ZREMRANGEBYSCORE', key, '-inf', now - length)
      if redis.call('ZCARD', key) >= limit then allowed = 0 end
    end
    local answer = { allowed, now }
    for i, key in ipairs(KEYS) do
      local length = tonumber(ARGV[2 * i])
      if allowed == 1 then
        redis.call('ZADD', key, now, time[1] .. '.' .. time[2])
        redis.call('PEXPIRE', key, length)
      end
      local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
      table.insert(answer, redis.call('ZCARD', key))
      table.insert(answer, tonumber(oldest or now))
    end
    return answer
  LUA

  def initialize(redis, plan:, minute: 60)
    @redis = redis
    per_minute, per_day = PLANS.fetch(plan)
    @windows = [[per_minute, (minute * 1000).to_i], [per_day, DAY_MS]]
  end

  # Counts a request of a client, if there is room for it.
  def take(client)
    keys = @windows.map { |_, length| "limit:#{client}:#{length}" }
    allowed, now, *counts = @redis.eval(SCRIPT, keys, @windows.flatten)
    usages = @windows.zip(counts.each_slice(2)).map do |(limit, length), (count, oldest)|
      free_at = oldest + length
      Usage.new(allowed: allowed == 1, limit: limit, remaining: limit - count, reset: (free_at / 1000.0).ceil,
                retry_after: [((free_at - now) / 1000.0).ceil, 1].max)
    end
    usages.min_by(&:remaining)
  end
end
