<?php
declare(strict_types=1);

// Starts the animal store: two of PHP's own web servers, one for each address, which share a SQLite file.

require __DIR__ . '/catalogue.php';

const USAGE = 'usage: php store.php --api-key KEY [--port N] [--message-port N] [--plan free|pro|business]'
    . " [--window SECONDS] [--animals N]\n";

$options = getopt('', ['api-key:', 'port:', 'message-port:', 'plan:', 'window:', 'animals:']);
if (!isset($options['api-key'])) {
    fwrite(STDERR, USAGE);
    exit(2);
}

$file = tempnam(sys_get_temp_dir(), 'php-store-');
Catalogue::create($file, (int) ($options['animals'] ?? 40));
$environment = [
    'STORE_FILE' => $file,
    'STORE_KEY' => $options['api-key'],
    'STORE_PLAN' => $options['plan'] ?? 'free',
    'STORE_WINDOW' => $options['window'] ?? '60',
    // Processes of each server, so requests are served at the same time.
    'PHP_CLI_SERVER_WORKERS' => '4',
] + getenv();

/** Starts a server. @return array{resource, string} its process, and its address */
function started(string $port, array $environment): array
{
    // In a process group of its own, which can be stopped as a whole.
    $command = ['setsid', PHP_BINARY, '-d', 'display_errors=0', '-S', "127.0.0.1:$port"];
    $command[] = __DIR__ . '/index.php';
    $log = tempnam(sys_get_temp_dir(), 'php-store-log-');
    $process = proc_open($command, [1 => STDOUT, 2 => ['file', $log, 'w']], $pipes, null, $environment);
    while (!preg_match('~\((http://[\d.:]+)\) started~', (string) file_get_contents($log), $found)) {
        if (!proc_get_status($process)['running']) {
            fwrite(STDERR, file_get_contents($log));
            exit(1);
        }
        usleep(20_000);
    }
    unlink($log);
    return [$process, $found[1]];
}

[$animals, $base] = started($options['port'] ?? '8080', ['STORE_ADDRESS' => 'animals'] + $environment);
[$messages, $api] = started($options['message-port'] ?? '8081', ['STORE_ADDRESS' => 'messages'] + $environment);
echo "base address: $base/v1\nmessage address: $api\n";

$stop = function () use ($animals, $messages, $file): void {
    foreach ([$animals, $messages] as $process) {
        // Its workers, too: PHP's server forgets them when it is terminated.
        posix_kill(-proc_get_status($process)['pid'], SIGTERM);
        proc_close($process);
    }
    array_map('unlink', glob("$file*"));
    exit(0);
};
pcntl_async_signals(true);
pcntl_signal(SIGTERM, $stop);
pcntl_signal(SIGINT, $stop);
while (proc_get_status($animals)['running']) {
    sleep(1);
}
