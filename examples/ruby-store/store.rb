# frozen_string_literal: true

# Starts the animal store: the animals at one address, the messages at another.

require 'optparse'
require 'puma'
require 'puma/server'
require 'redis'
require_relative 'animals'
require_relative 'catalogue'
require_relative 'gateway'
require_relative 'limiter'
require_relative 'messages'

options = { port: 8080, 'message-port': 8081, plan: 'free', window: 60, animals: 150 }
OptionParser.new do |parser|
  parser.banner = 'usage: ruby store.rb --api-key KEY [options]'
  parser.on('--api-key KEY', 'the key that is accepted')
  parser.on('--port N', Integer, 'port of the animals (0: a free one)')
  parser.on('--message-port N', Integer, 'port of the messages (0: a free one)')
  parser.on('--plan NAME', Limiter::PLANS.keys, Limiter::PLANS.keys.join(', '))
  parser.on('--window SECONDS', Float, 'length of the window that a plan calls a minute')
  parser.on('--animals N', Integer, 'animals at the start')
  parser.on('--redis URL', 'where the limiter counts (default: REDIS_URL)')
end.parse!(into: options)
abort 'store.rb: --api-key is missing' unless options[:'api-key']

redis = options[:redis] ? Redis.new(url: options[:redis]) : Redis.new
limiter = Limiter.new(redis, plan: options[:plan], minute: options[:window])
catalogue = Catalogue.new(options[:animals])

# Puma serves a Rack application on a port of 127.0.0.1. Returns the port and the thread.
serve = lambda do |app, port|
  guarded = Gateway.new(app, key: options[:'api-key'], limiter: limiter)
  server = Puma::Server.new(guarded, Puma::Events.new($stderr, $stderr), max_threads: 8)
  server.add_tcp_listener('127.0.0.1', port)
  [server.connected_ports.first, server.run, server]
end

base, base_thread, = serve.call(Rack::URLMap.new('/v1' => Animals.with(catalogue)), options[:port])
messages, = serve.call(Messages, options[:'message-port'])
$stdout.sync = true
puts "base address: http://127.0.0.1:#{base}/v1"
puts "message address: http://127.0.0.1:#{messages}"

%w[INT TERM].each { |signal| trap(signal) { exit!(0) } }
base_thread.join
