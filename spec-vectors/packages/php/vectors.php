<?php
declare(strict_types=1);

/**
 * Runs the test vectors of the AI-readable web's protocols against functions of your own:
 *
 *     $report = Aiweb\Vectors\check(Aiweb\Vectors\cases('spec-vectors'), ['tct.fingerprint' => fingerprint(...)]);
 *     foreach ($report['failures'] as $failure) {
 *         echo Aiweb\Vectors\explain($failure), "\n";
 *     }
 *
 * An input or answer is a stdClass, as json_decode makes it; names that end in "_b64" hold bytes in base64.
 */
namespace Aiweb\Vectors;

use stdClass;
use Throwable;

/** Thrown by an operation to answer with an error of this kind. */
final class Refused extends \Exception
{
    public function __construct(public readonly string $kind)
    {
        parent::__construct("an error of kind $kind");
    }
}

/**
 * All cases below the folder of the vectors, in the order of their files. Each has `id`, `set` (folder and file), `op`, `basis` ("text",
 * "reading", "limit" or "errata"), `comment`, `rules` (each requirement's own sentence), `in`, and one of `ok` and `err`.
 *
 * @return list<stdClass>
 */
function cases(string $folder): array
{
    $rules = [];
    foreach (glob("$folder/requirements/*.json") as $path) {
        $file = json_decode(file_get_contents($path), flags: JSON_THROW_ON_ERROR);
        foreach ($file->requirements as $row) {
            $rules[$row->id] = "$row->id ($row->level, $row->role): $row->text $file->spec, “{$row->section}”";
        }
    }
    $cases = [];
    foreach (glob("$folder/*/*.json") as $path) {
        $set = basename(dirname($path)) . '/' . basename($path, '.json');
        if (preg_match('{^(requirements|schema|stories)/}', $set)) {
            continue;
        }
        $file = json_decode(file_get_contents($path), depth: 4096, flags: JSON_THROW_ON_ERROR);
        foreach ($file->cases as $case) {
            $case->set = $set;
            $case->op ??= $file->op;
            $case->rules = array_map(fn (string $id) => $rules[$id] ?? $id, $case->requirements);
            $cases[] = $case;
        }
    }
    return $cases;
}

/**
 * Runs each operation over all of its cases. Whatever an operation throws is the failure of that case.
 *
 * @param list<stdClass> $cases
 * @param array<string, callable(stdClass): stdClass> $operations
 * @return array{passed: int, failures: list<stdClass>, differing: list<stdClass>} failures, each with `case`, `found` and `thrown`;
 *     what is in `differing` is not decided by the specification
 */
function check(array $cases, array $operations): array
{
    $report = ['passed' => 0, 'failures' => [], 'differing' => []];
    foreach ($cases as $case) {
        if (!isset($operations[$case->op])) {
            continue;
        }
        [$found, $thrown] = [null, null];
        try {
            $found = $operations[$case->op](json_decode(json_encode($case->in, JSON_PRESERVE_ZERO_FRACTION), depth: 4096));
        } catch (Throwable $caught) {
            $thrown = $caught;
        }
        if (passes($case, $found, $thrown)) {
            $report['passed']++;
        } else {
            $report[$case->basis === 'text' ? 'failures' : 'differing'][] = (object) compact('case', 'found', 'thrown');
        }
    }
    return $report;
}

/** Whether an answer has the members that its case expects, or an error is of the expected kind. */
function passes(stdClass $case, mixed $found, ?Throwable $thrown): bool
{
    if (isset($case->err) || $thrown !== null) {
        return isset($case->err) && $thrown instanceof Refused && $thrown->kind === $case->err->kind;
    }
    foreach (get_object_vars($case->ok) as $name => $value) {
        if (!is_object($found) || !property_exists($found, (string) $name) || !same($value, $found->$name)) {
            return false;
        }
    }
    return true;
}

/** Whether two values are equal and of the same type at every level, whatever the order of members. */
function same(mixed $expected, mixed $found): bool
{
    if (is_object($expected) && is_object($found)) {
        [$expected, $found] = [get_object_vars($expected), get_object_vars($found)];
        ksort($expected);
        ksort($found);
    }
    if (!is_array($expected) || !is_array($found)) {
        return $expected === $found;
    }
    return array_keys($expected) === array_keys($found) && !in_array(false, array_map(same(...), $expected, $found), true);
}

/** The story of a failure: input, expected, found, and the rule. */
function explain(stdClass $failure): string
{
    $case = $failure->case;
    $lines = [
        ['why', $case->comment],
        ['input', json_encode($case->in, JSON_UNESCAPED_SLASHES)],
        ['expected', isset($case->err) ? "an error of kind {$case->err->kind}" : json_encode($case->ok, JSON_UNESCAPED_SLASHES)],
        ['found', $failure->thrown !== null ? "{$failure->thrown->getMessage()}" : json_encode($failure->found, JSON_UNESCAPED_SLASHES)],
        ...array_map(fn (string $rule) => ['rule', $rule], $case->rules),
    ];
    $told = array_map(fn (array $line) => sprintf('  %-9s %s', ...$line), $lines);
    return "$case->id  ($case->set.json, $case->op, basis $case->basis)\n" . implode("\n", $told);
}
