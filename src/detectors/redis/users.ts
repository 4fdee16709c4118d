import type { RedisCapture, RedisUser } from '../../captures/redis.ts';
import { printable } from '../printable.ts';

/** The users, if they were read. */
export const usersOf = (users: RedisCapture['users']): readonly RedisUser[] | undefined =>
  users.assessed ? users.value.rows : undefined;

export const nameOf = ({ name }: Pick<RedisUser, 'name'>) =>
  name === 'default' ? 'default user' : `user ${printable(name)}`;
