# frozen_string_literal: true

require 'securerandom'
require 'time'
require_relative 'answers'

# The message address. Messages are queued and forgotten.
class Messages < Answers
  post '/messages' do
    message = json_object['message']
    unless message.is_a?(String) && message.valid_encoding?
      raise Refused.new(400, 'invalid_message', 'message is a string, and required')
    end

    json({
      id: SecureRandom.uuid,
      message: message,
      status: 'queued',
      createdAt: Time.now.utc.iso8601(3)
    }, 201)
  end
end
