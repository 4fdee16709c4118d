import type { ModalProps } from '@mantine/core';
import { later, useOpened } from './later.ts';

const useModal = later<ModalProps>(() => import('./modal.ts'));

/** Mantine's `Modal`, whose code loads after the page. */
export function Dialog(props: ModalProps) {
  const Modal = useModal(props.opened);
  const opened = useOpened(props.opened, Modal !== undefined);
  return Modal && <Modal {...props} opened={opened} />;
}
