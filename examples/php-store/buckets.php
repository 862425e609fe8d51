<?php
declare(strict_types=1);

/** What a client is told of its limit. Times are in Unix seconds. */
final class Usage
{
    public function __construct(
        public readonly bool $isAllowed,
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $reset,
        public readonly int $retryAt,
    ) {
    }
}

/**
 * Token buckets: each request takes a token out of two buckets, and they fill up again evenly, one in a minute, the
 * other in a day.
 */
final class Buckets
{
    /** Requests per minute and per day. */
    private const PLANS = ['free' => [60, 1_000], 'pro' => [300, 10_000], 'business' => [1_000, 100_000]];

    /** Size of each bucket, and the seconds in which it fills up. @var array<string, array{int, float}> */
    private readonly array $buckets;

    public function __construct(private readonly PDO $database, string $plan, float $minute)
    {
        [$perMinute, $perDay] = self::PLANS[$plan];
        $this->buckets = ['minute' => [$perMinute, $minute], 'day' => [$perDay, 86_400.0]];
    }

    /** Counts a request, if there is room for it. */
    public function take(string $key): Usage
    {
        $client = hash('sha256', $key);
        // No other process reads what is left until this one has written it. The time is read after that, too: else one
        // that had to wait would write an older time, and what has come in since would be added again.
        $this->database->exec('BEGIN IMMEDIATE');
        $now = microtime(true);
        $left = [];
        foreach ($this->buckets as $name => [$size, $seconds]) {
            $left[$name] = $this->left($client, $name, $size, $size / $seconds, $now);
        }
        $isAllowed = min($left) >= 1;
        $store = $this->database->prepare('REPLACE INTO buckets (client, name, tokens, at) VALUES (?, ?, ?, ?)');
        foreach ($left as $name => $tokens) {
            $left[$name] = $isAllowed ? $tokens - 1 : $tokens;
            $store->execute([$client, $name, $left[$name], $now]);
        }
        $this->database->exec('COMMIT');
        // The headers are about the bucket that has less left.
        return $this->usage(array_search(min($left), $left, true), min($left), $isAllowed, $now);
    }

    /** What a request without a valid key is told: nothing counts it. */
    public function untouched(): Usage
    {
        return $this->usage('minute', $this->buckets['minute'][0], true, microtime(true));
    }

    private function left(string $client, string $name, int $size, float $perSecond, float $now): float
    {
        $select = $this->database->prepare('SELECT tokens, at FROM buckets WHERE client = ? AND name = ?');
        $select->execute([$client, $name]);
        [$tokens, $at] = $select->fetch(PDO::FETCH_NUM) ?: [$size, $now];
        return min($size, $tokens + max(0, $now - $at) * $perSecond);
    }

    private function usage(string $name, float $left, bool $isAllowed, float $now): Usage
    {
        [$size, $seconds] = $this->buckets[$name];
        $perSecond = $size / $seconds;
        return new Usage(
            $isAllowed,
            $size,
            (int) floor($left),
            (int) ceil($now + ($size - $left) / $perSecond),
            (int) ceil($now + max(0, 1 - $left) / $perSecond),
        );
    }
}
