/** As many images can be asked for with one prompt. The service makes one for each request. */
export const mostImages = 4;
