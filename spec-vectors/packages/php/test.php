<?php
declare(strict_types=1);

/** `php test.php`: the runner takes right answers, names wrong ones, and tells why. */
require __DIR__ . '/vectors.php';

use Aiweb\Vectors\Refused;
use function Aiweb\Vectors\{cases, check, explain};

function expect(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "failed: $what\n");
        exit(1);
    }
}

$cases = cases(__DIR__ . '/../..');
expect(count($cases) > 3000, 'over 3,000 cases');

// An implementation that knows words and letters, and neither character references nor Unicode.
$fingerprint = function (stdClass $in): stdClass {
    $words = trim(preg_replace('/[ \t\r\n]+/', ' ', strtolower($in->text)));
    return (object) ['hash' => 'sha256-' . hash('sha256', $words)];
};
$report = check($cases, ['tct.fingerprint' => $fingerprint]);
expect($report['passed'] >= 15 && $report['differing'] !== [], "some pass, {$report['passed']}");
$stories = array_map(explain(...), $report['failures']);
$story = current(array_filter($stories, fn (string $told) => str_starts_with($told, 'tct-fingerprint-ampersand-name ')));
$parts = ['why       draft-01 test 4', '{"text":"Hello &amp; goodbye"}', '{"hash":"sha256-da73536e', 'rule      TCT-FP-2 (MUST, publisher)'];
foreach ($parts as $part) {
    expect(str_contains((string) $story, $part), "$part in the story:\n$story");
}

$at = 0;
$right = function () use ($cases, &$at): stdClass {
    $case = $cases[$at++];
    return isset($case->err) ? throw new Refused($case->err->kind) : $case->ok;
};
$operations = array_unique(array_column($cases, 'op'));
$report = check($cases, array_fill_keys($operations, $right));
expect($report['passed'] === count($cases), 'every right answer passes');
$report = check($cases, array_fill_keys($operations, fn () => throw new LogicException('not yet')));
expect($report['passed'] === 0, 'nothing passes that throws');
$report = check($cases, array_fill_keys($operations, fn () => new stdClass()));
$empty = count(array_filter($cases, fn (stdClass $case) => isset($case->ok) && get_object_vars($case->ok) === []));
expect($report['passed'] === $empty, 'nothing passes that lacks members');
echo 'php: ', count($cases), " cases\n";
