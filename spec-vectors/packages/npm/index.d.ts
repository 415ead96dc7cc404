/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** The members of an operation's input or answer. Names that end in `_b64` hold bytes in standard base64. */
export type Members = { [name: string]: Json };

export type Basis = 'text' | 'reading' | 'limit' | 'errata';

/** One vector. Just one of `ok` and `err` is set. */
export interface Case {
  /** Stable name, unique over all sets. */
  readonly id: string;
  /** The set's folder and file, such as `tct/fingerprint`. */
  readonly set: string;
  /** The operation, such as `tct.fingerprint`. */
  readonly op: string;
  /** The requirements that the case tests, such as `TCT-FP-5`. */
  readonly requirements: readonly string[];
  readonly input: Members;
  /** Members that the answer must have. */
  readonly ok?: Members;
  /** Kind of the error that the operation must end with. */
  readonly err?: string;
  readonly comment?: string;
  /** What is special about the case, such as `SpecExampleDefect`. */
  readonly flags: readonly string[];
  /** What the expectation rests on: a rule of the specification, our reading where it is open or leaves a choice, a bound of ours, or a corrected mistake of the text. */
  readonly basis: Basis;
  /** Title of the specification's section, where the case names one. */
  readonly section?: string;
  /** Document and revision that the case tests. */
  readonly spec: string;
}

/** One row of a specification's catalogue. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  /** Whose requirement it is, such as `publisher`. */
  readonly role: string;
  /** Title of the specification's section. */
  readonly section: string;
  /** What the specification leaves open, where the row is a decision of ours. */
  readonly problem?: string;
  readonly text: string;
  readonly spec: string;
}

/** A member of an operation's input or answer. */
export interface Member {
  /** JSON type, or several. */
  readonly type: string | readonly string[];
  /** Of an input: whether it must be there. */
  readonly required?: boolean;
  readonly about: string;
}

/** What an operation takes and answers. */
export interface OperationDescription {
  readonly op: string;
  /** What it does, in one sentence. */
  readonly does: string;
  readonly in: { readonly [name: string]: Member };
  readonly ok: { readonly [name: string]: Member };
  /** Kinds of error that the vectors expect. */
  readonly errors: readonly string[];
  /** ID of a case that shows it. */
  readonly example?: string;
}

/** A case whose answer is not the expected one. */
export interface Failure {
  readonly case: Case;
  readonly found: { ok: Members } | { err: { kind: string; message?: string } };
  /** What the operation threw, where it was not `Refused`. */
  readonly exception?: unknown;
  /** The whole story: input, expected, found, the first difference, the rule. */
  toString(): string;
}

export interface Report {
  passed: number;
  /** Failures that count. */
  failures: Failure[];
  /** Failures that do not, since the specification does not decide them. */
  differing: Failure[];
}

/** Thrown by an operation to answer with an error of this kind. */
export class Refused extends Error {
  constructor(kind: string);
  readonly kind: string;
}

export type Operation = (input: Members) => Members | Promise<Members>;

/** Every set's name with its cases, in the order of the names. */
export function sets(): Map<string, Case[]>;
/** All cases of one operation. */
export function cases(op: string): Case[];
/** What each operation takes and answers, sorted by name. */
export function operations(): OperationDescription[];
/** All rows of all catalogues. */
export function requirements(): Requirement[];
/** Whether an answer is the one that a case expects. */
export function passes(expected: Case, found: Failure['found'], anyError?: boolean): boolean;
/** What a case asks for and why, and how an answer fails it. */
export function explain(one: Case, found?: Failure['found'] | { ended: string }): string;
/**
 * Runs each operation over all its cases. Whatever an operation throws is the failure of that case. `count` says which bases
 * count as failures; `text` alone if it is absent. Rejects with a `RangeError` where an operation has no vectors.
 */
export function check(operations: { [op: string]: Operation }, options?: { anyError?: boolean; count?: readonly Basis[] }): Promise<Report>;
