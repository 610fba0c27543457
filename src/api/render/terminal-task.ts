import type { Task } from '../../payment/task.ts';
import type { TerminalTask } from '../contract/terminal-task.ts';
import { instant } from './instant.ts';

/** A task as the interface shows it. */
export function renderTask(task: Task): TerminalTask {
  return {
    id: task.id,
    object: 'terminal_task',
    kind: task.kind,
    payment_id: task.attemptId,
    settlement_id: task.settlementId,
    device_id: task.deviceId,
    message: task.message,
    created_at: instant(task.createdAt),
    done: task.done && { by: task.done.by, note: task.done.note, at: instant(task.done.at) },
  };
}
