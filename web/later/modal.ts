import { Modal } from '@mantine/core';

/** Separate, so that it loads after the page. */
export default Modal;
