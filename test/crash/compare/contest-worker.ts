import { messageOf } from '../../../src/base/errors.ts';
import { type Answer, contest, Order } from './contest.ts';

async function work(order: unknown): Promise<Answer> {
  try {
    return { contest: await contest(Order.parse(order)) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

// Ends with whoever forked it.
process.on('disconnect', () => process.exit(0));
process.on('message', (order) => void work(order).then((answer) => process.send?.(answer)));
