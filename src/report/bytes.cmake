# A file as numbers, each followed by a comma: cmake -DINPUT=... -DOUTPUT=... -P bytes.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "(char)0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
