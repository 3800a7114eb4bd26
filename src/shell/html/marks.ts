/**
 * How files of ours begin: by this a page or a picture is known to be one of ours, which a later one may replace.
 */
export const pageMark = '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="generator" content="purser">';

export const pictureMark = '<svg xmlns="http://www.w3.org/2000/svg" data-generator="purser"';
