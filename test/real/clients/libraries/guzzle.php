<?php
// A client of projects.yaml with Guzzle and its retry middleware, which pauses by itself: 1 s, 2 s, 4 s.
require 'GuzzleHttp/autoload.php';

$stack = GuzzleHttp\HandlerStack::create();
$stack->push(GuzzleHttp\Middleware::retry(
    fn (int $retries, $request, $response = null, $error = null) => $retries < 3
        && ($error instanceof GuzzleHttp\Exception\ConnectException
            || ($response !== null && in_array($response->getStatusCode(), [429, 503], true))),
));
$client = new GuzzleHttp\Client([
    'handler' => $stack,
    'headers' => ['Authorization' => 'Bearer ' . getenv('PETSPEC_API_KEY')],
]);
$base = getenv('PETSPEC_BASE_URL') . '/projects';
$client->get($base, ['query' => ['limit' => 10]]);
$added = json_decode((string) $client->post($base, ['json' => ['name' => 'Roof', 'state' => 'open']])->getBody());
$url = "$base/{$added->data->id}";
$client->get($url);
$client->delete($url);
