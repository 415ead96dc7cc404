/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** The members of an operation's input or answer. Names that end in `_b64` hold bytes in standard base64. */
export type Members = { [name: string]: Json };

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
}

/** One row of a specification's catalogue. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly text: string;
  readonly spec: string;
}

/** A case whose answer is not the expected one. */
export interface Failure {
  readonly case: Case;
  readonly found: { ok: Members } | { err: { kind: string } };
}

export interface Report {
  passed: number;
  failures: Failure[];
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
/** All rows of all catalogues. */
export function requirements(): Requirement[];
/** Whether an answer is the one that a case expects. */
export function passes(expected: Case, found: Failure['found'], anyError?: boolean): boolean;
/** Runs each operation over all its cases. Rejects with a `RangeError` where an operation has no vectors. */
export function check(operations: { [op: string]: Operation }, options?: { anyError?: boolean }): Promise<Report>;
