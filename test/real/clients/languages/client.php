<?php
// A client of petstore.yaml with streams. Without a name of a mistake it makes none.
[$base, $key, $mistake] = [getenv('PETSPEC_BASE_URL'), getenv('PETSPEC_API_KEY'), $argv[1] ?? null];

/** Seconds until the service may be asked again, by its own clock. */
function pauseOf(array $headers): int
{
    $after = $headers['retry-after'] ?? null;
    if ($after === null) return 1;
    if (ctype_digit($after)) return (int) $after;
    return max(0, strtotime($after) - strtotime($headers['date'])) + 1;
}

/** @return array{int, array<string, string>, string|false} status, headers and body; status 0 if the connection broke */
function sendOnce(string $method, string $path, mixed $body): array
{
    global $base, $key, $mistake;
    $headers = [($mistake === 'other-header' ? 'X-Api-Key' : 'X-Store-Key') . ": $key"];
    $options = ['method' => $method, 'ignore_errors' => true, 'protocol_version' => 1.1];
    if ($body !== null) {
        $isForm = $mistake === 'form';
        $headers[] = 'Content-Type: ' . ($isForm ? 'application/x-www-form-urlencoded' : 'application/json');
        $flags = $mistake === 'objects-for-lists' ? JSON_FORCE_OBJECT : 0;
        $options['content'] = $isForm ? http_build_query($body) : json_encode($body, $flags);
    }
    $headers[] = 'Connection: close';
    $text = @file_get_contents($base . $path, false, stream_context_create(['http' => [...$options, 'header' => $headers]]));
    $lines = $http_response_header ?? [];
    $status = isset($lines[0]) ? (int) explode(' ', $lines[0])[1] : 0;
    $found = [];
    foreach (array_slice($lines, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $found[strtolower($name)] = trim($value);
    }
    $isCut = isset($found['content-length']) && strlen((string) $text) < (int) $found['content-length'];
    return [$isCut ? 0 : $status, $found, $text];
}

function ask(string $method, string $path, mixed $body = null): mixed
{
    for ($attempt = 0; $attempt < 5; $attempt += 1) {
        [$status, $headers, $text] = sendOnce($method, $path, $body);
        if ($status >= 200 && $status < 300) return $text === '' ? null : json_decode($text);
        if (in_array($status, [429, 500, 503], true)) usleep(pauseOf($headers) * 1_000_000 + 100_000);
        elseif ($status !== 0) exit(1);
    }
    exit(1);
}

ask('GET', '/pet/findByStatus?status=available');
$id = ask('POST', '/pet', ['name' => 'Rex', 'photoUrls' => [], 'status' => 'available'])->id;
$pet = ask('GET', "/pet/$id");
ask('PUT', "/pet/$id", ['name' => 'Max', 'photoUrls' => [], 'category' => ['id' => $pet->id]]);
ask('DELETE', "/pet/$id");
