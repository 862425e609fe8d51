<?php
declare(strict_types=1);

// Every request comes here: first the key, then the limit, then the operation.

require __DIR__ . '/http.php';
require __DIR__ . '/catalogue.php';
require __DIR__ . '/buckets.php';
require __DIR__ . '/bodies.php';
require __DIR__ . '/operations.php';

set_exception_handler(function (Throwable $error): void {
    error_log((string) $error);
    send(error(500, 'internal_error', 'Something went wrong.'));
});

$method = $_SERVER['REQUEST_METHOD'] === 'HEAD' ? 'GET' : $_SERVER['REQUEST_METHOD'];
$path = explode('?', $_SERVER['REQUEST_URI'])[0];
$buckets = new Buckets(database(getenv('STORE_FILE')), getenv('STORE_PLAN'), (float) getenv('STORE_WINDOW'));

$isKnown = hash_equals(getenv('STORE_KEY'), bearer($_SERVER['HTTP_AUTHORIZATION'] ?? ''));
$usage = $isKnown ? $buckets->take(getenv('STORE_KEY')) : $buckets->untouched();
header("X-RateLimit-Limit: {$usage->limit}");
header("X-RateLimit-Remaining: {$usage->remaining}");
header("X-RateLimit-Reset: {$usage->reset}");

if (!$isKnown) {
    send(error(401, 'unauthorized', 'The API key is missing or invalid.', ['WWW-Authenticate' => 'Bearer']));
} elseif (!$usage->isAllowed) {
    $date = gmdate('D, d M Y H:i:s', $usage->retryAt) . ' GMT';
    send(error(429, 'rate_limited', "Send the next request after $date.", ['Retry-After' => $date]));
} else {
    try {
        send(getenv('STORE_ADDRESS') === 'messages' ? message_at($method, $path) : animals_at($method, $path));
    } catch (Refused $refused) {
        send(error($refused->status, $refused->reason, $refused->getMessage()));
    }
}
