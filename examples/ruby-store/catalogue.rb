# frozen_string_literal: true

# The animals, in memory, in the order in which they came. Several threads use it.
class Catalogue
  NAMES = %w[Ada Bello Cleo Dot Eddie Fip Gus Hazel].freeze
  # Ids begin with the milliseconds since 2020, as other services with several machines have them.
  EPOCH_MS = 1_577_836_800_000

  def initialize(count)
    @lock = Mutex.new
    @pets = {}
    @last_id = 0
    statuses = ['available', 'pending', 'sold', nil]
    count.times { |i| add(NAMES[i % NAMES.size], 1 + i % 7, statuses[i % statuses.size]) }
  end

  def add(name, category_id, status)
    @lock.synchronize do
      pet = { id: next_id, name: name, categoryId: category_id, status: status }.compact
      @pets[pet[:id]] = pet
    end
  end

  def find(id)
    @lock.synchronize { @pets[id] }
  end

  def list(limit:, status:)
    pets = @lock.synchronize { @pets.values }
    pets = pets.select { |pet| pet[:status] == status } if status
    pets.first(limit)
  end

  private

  def next_id
    now = (Time.now.to_f * 1000).to_i - EPOCH_MS
    @last_id = [@last_id + 1, now << 22].max
  end
end
