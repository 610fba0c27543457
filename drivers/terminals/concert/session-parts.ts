import type { DriverContext } from '../../../src/driver-kit/terminal.ts';
import type { Note } from './note.ts';
import type { Settings } from './settings.ts';

/** The dependencies of a channel besides its link. */
export interface ChannelDeps {
  readonly context: DriverContext;
  readonly settings: Settings;
  readonly note: Note;
}
