# frozen_string_literal: true

require_relative 'answers'
require_relative 'catalogue'

# The operations of the base address.
class Animals < Answers
  STATUSES = %w[available pending sold].freeze
  INT64 = (-2**63..2**63 - 1).freeze
  LIMIT_DEFAULT = 20
  LIMIT_MAXIMUM = 100
  REMOVAL = 'Thu, 05 Dec 2030 00:00:00 GMT'

  def self.with(catalogue)
    set :catalogue, catalogue
    self
  end

  get '/pets' do
    json settings.catalogue.list(limit: limit, status: status_filter)
  end

  post '/pets' do
    body = json_object
    pet = settings.catalogue.add(name_in(body), category_in(body), status_in(body))
    json pet, 201
  end

  get '/pets/:id' do
    pet = settings.catalogue.find(params['id'].to_i) if /\A\d+\z/.match?(params['id'])
    raise Refused.new(404, 'pet_not_found', 'no animal has this id') unless pet

    headers 'Deprecation' => '@1767225600', 'Sunset' => REMOVAL
    json pet
  end

  # Nobody has ordered anything yet.
  get '/store/orders' do
    json orders: []
  end

  private

  def limit
    value = params.fetch('limit', LIMIT_DEFAULT.to_s)
    number = value.to_i if value.is_a?(String) && /\A\d{1,9}\z/.match?(value)
    return number if number&.between?(1, LIMIT_MAXIMUM)

    raise Refused.new(400, 'invalid_limit', 'limit is an integer from 1 to 100')
  end

  def status_filter
    value = params['status']
    return value if value.nil? || STATUSES.include?(value)

    raise Refused.new(400, 'invalid_status', "status is one of #{STATUSES.join(', ')}")
  end

  def name_in(body)
    name = body['name']
    return name if name.is_a?(String) && name.valid_encoding?

    raise Refused.new(400, 'invalid_name', 'name is a string, and required')
  end

  def category_in(body)
    category = body['categoryId']
    return category if category.is_a?(Integer) && INT64.cover?(category)

    raise Refused.new(400, 'invalid_category', 'categoryId is an int64, and required')
  end

  # nil if the client leaves it out: nothing says what it would be then.
  def status_in(body)
    return nil unless body.key?('status')
    return body['status'] if STATUSES.include?(body['status'])

    raise Refused.new(400, 'invalid_status', "status is one of #{STATUSES.join(', ')}")
  end
end
