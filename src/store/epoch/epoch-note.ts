import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileDurably } from '../disk/durable-file.ts';

const Note = z.object({
  epoch: z.string(),
  /** How far the journal had come, and the hash of its last row. */
  count: z.int().min(0),
  hash: z.string(),
  /** A backup replaced the database of this note: the next start begins a new epoch. */
  restored: z.literal(true).optional(),
  /** The same of the audit trail of people and keys; absent: it had no entry. */
  audit: z.object({ count: z.int().min(1), hash: z.string() }).optional(),
  /** The installation of this note; only in the note outside the state folder. */
  instance: z.string().max(16).optional(),
});

/** The note beside the database: which database was here last, and how far its journal had come. */
export type EpochNote = z.infer<typeof Note>;

/** The file as it is found; `bare`: that of an older release, without a journal. */
export type FoundNote =
  | { readonly kind: 'missing' }
  | { readonly kind: 'note' | 'bare'; readonly note: EpochNote }
  | { readonly kind: 'unreadable'; readonly text: string };

const NOTE_LENGTH = 320;
/**
 * The offset of the newest commit's note, which is written in place without a sync: in a page of its own, so that a power cut that damages it leaves
 * the previous note intact.
 */
export const NEWEST_AT = 4096;
const BARE_ID = /^[\w-]{1,64}$/;

/** Reads the note: the newer of the two readable ones. @throws the system's error when the file exists and cannot be read */
export function readEpochNote(path: string): FoundNote {
  if (!existsSync(path)) return { kind: 'missing' };
  const bytes = readFileSync(path);
  const sure = noteIn(bytes.subarray(0, NEWEST_AT));
  const newest = noteIn(bytes.subarray(NEWEST_AT));
  return newest.kind === 'note' && isAfter(newest.note, sure) ? newest : sure;
}

function noteIn(bytes: Uint8Array): FoundNote {
  const text = new TextDecoder().decode(bytes).trim();
  if (BARE_ID.test(text)) return { kind: 'bare', note: { epoch: text, count: 0, hash: '' } };
  try {
    return { kind: 'note', note: Note.parse(JSON.parse(text)) };
  } catch {
    return { kind: 'unreadable', text };
  }
}

function isAfter(newest: EpochNote, sure: FoundNote): boolean {
  if (sure.kind === 'missing' || sure.kind === 'unreadable') return true;
  const { epoch, count, restored } = sure.note;
  return !restored && newest.epoch === epoch && newest.count >= count;
}

/** Writes this note, and removes any newer one; on disk when it returns. */
export function writeEpochNote(path: string, note: EpochNote): void {
  writeFileDurably(path, epochNoteText(note).padEnd(NEWEST_AT));
}

/** Always of one length, so that a shorter note leaves nothing of a longer one behind. */
export function epochNoteText(note: EpochNote): string {
  return `${JSON.stringify(note).padEnd(NOTE_LENGTH)}\n`;
}

/**
 * Notes that another database is about to replace the present one: whatever it is, the next start begins a new epoch.
 * @param own what a note of the new database would say; used when there is no readable note
 */
export function noteRestored(path: string, own: EpochNote): void {
  const found = readEpochNote(path);
  const note = found.kind === 'missing' || found.kind === 'unreadable' ? own : found.note;
  writeEpochNote(path, { ...note, restored: true });
}
