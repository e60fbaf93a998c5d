/*
 * The folders that a file is to be made in.
 */
#ifndef BASE_FOLDERS_H
#define BASE_FOLDERS_H

/**
 * As mkdir -p, all but the last part of @path: what is a folder already, whoever
 * made it, is fine. Returns 0, or the errno of the folder that could not be
 * made, behind which @path then ends.
 */
int sw__make_folders(char *path);

#endif
