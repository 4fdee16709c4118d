import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  ChangeChannel,
  Channel,
  ChannelEnvelope,
  ChannelList,
  CreateChannel,
  MessagePreview,
  Notifications,
  PreviewMessage,
  SaveNotificationSettings,
  SavePreferences,
  SentMessage,
  SentMessageEnvelope,
  Unsubscribed,
} from '../../src/contract/dashboard/notifications.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery } from './organization-query.ts';
import { objectKey, resourceKey } from './query-keys.ts';

/** How often a message on its way is asked about. */
const soonMs = 1_000;

const isUnderWay = (message: SentMessage | null | undefined) =>
  message?.state === 'waiting' || (message?.state === 'sending' && message.error === null);

const isWatched = ({ purpose }: SentMessage) => purpose === 'test' || purpose === 'code';

/** How notifications reach the signed-in person. Asked again while a message that the person waits for is on its way. */
export const useNotifications = () =>
  useOrganizationQuery<Notifications>(id => resourceKey(id, 'notifications'), '/notifications', {
    refetchInterval: ({ state }) =>
      state.data?.messages.some(message => isWatched(message) && isUnderWay(message)) ? soonMs : false,
  });

export const useSaveNotifications = () =>
  useOrganizationMutation(['notifications'], (body: SaveNotificationSettings, api) =>
    request<Notifications>('PUT', api('/notifications'), { body }),
  );

/** @param purpose a code confirms the address of the account */
export const useSendMessage = (purpose: 'test' | 'code') =>
  useOrganizationMutation(['notifications'], (_: undefined, api) =>
    request<Static<typeof SentMessageEnvelope>>('POST', api(apiPath`/notifications/${purpose}`), {
      body: {},
    }),
  );

export const useConfirmAddress = () =>
  useOrganizationMutation(['notifications'], (code: string, api) =>
    request<Notifications>('POST', api('/notifications/confirm'), { body: { code } }),
  );

/** For all organizations of the person. */
export const useSavePreferences = () =>
  useOrganizationMutation(['notifications'], (body: SavePreferences) =>
    request<SavePreferences>('PUT', '/account/preferences', { body }),
  );

export const useMessagePreview = ({ purpose }: PreviewMessage) =>
  useOrganizationQuery<MessagePreview>(
    id => objectKey(id, 'notifications', purpose),
    `/notifications/preview${queryString({ purpose })}`,
    { gcTime: 0 },
  );

export const useChannels = () =>
  useOrganizationQuery<Static<typeof ChannelList>>(id => resourceKey(id, 'channels'), '/channels', {
    refetchInterval: ({ state }) =>
      state.data?.channels.some(({ last_message }) => isUnderWay(last_message)) ? soonMs : false,
  });

type Envelope = Static<typeof ChannelEnvelope>;

export const useCreateChannel = () =>
  useOrganizationMutation(['channels'], (body: CreateChannel, api) =>
    request<Envelope>('POST', api('/channels'), { body }),
  );

export const useChangeChannel = () =>
  useOrganizationMutation(['channels'], ({ id, ...body }: ChangeChannel & Pick<Channel, 'id'>, api) =>
    request<Envelope>('PUT', api(apiPath`/channels/${id}`), { body }),
  );

export const useDeleteChannel = () =>
  useOrganizationMutation(['channels'], (id: string, api) =>
    request('DELETE', api(apiPath`/channels/${id}`)),
  );

export const useTestChannel = () =>
  useOrganizationMutation(['channels'], (id: string, api) =>
    request('POST', api(apiPath`/channels/${id}/test`), { body: {} }),
  );

/** Turns off mail with the token of a message’s link. */
export function useUnsubscribe() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => request<Unsubscribed>('POST', '/unsubscribe', { body: { token } }),
    onSuccess: () => queries.invalidateQueries(),
  });
}
