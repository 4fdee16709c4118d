import { Menu } from '@mantine/core';

/** Separate, so that it loads after the page. */
export default Menu;
